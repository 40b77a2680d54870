//go:build unix

package builtin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// Files of another directory are read unasked while that is one of the session's, from the next call on, and the model is told.
func TestDirectoriesChangeWhileTheSessionLives(t *testing.T) {
	there := realDir(t)
	must(t, os.WriteFile(filepath.Join(there, "notes.txt"), []byte("from there\n"), 0o600))
	var replies []reply
	for i := range 4 {
		replies = append(replies, callsReply([3]string{fmt.Sprint("r", i), "Read", `{"file_path":` + quoted(filepath.Join(there, "notes.txt")) + `}`}), says("done"))
	}
	s := newService(t, replies...)
	ch := openChat(t, s)
	ch.answerAll(session.Answer{Decision: session.Deny})
	for i, step := range []struct {
		dirs []string
		told string
	}{{nil, ""}, {[]string{there}, "Further directories: " + there}, {[]string{there}, ""}, {nil, "Further directories: none any more"}} {
		if err := ch.c.Configure(t.Context(), session.Settings{Mode: session.ModeDefault, Dirs: session.DirsOf(step.dirs)}); err != nil {
			t.Fatal(err)
		}
		asked, reminded := len(eventsOf[session.Asked](ch)), len(eventsOf[session.Reminded](ch))
		ch.send("read it")
		free := len(step.dirs) > 0
		end := ch.ended()[session.CallID(fmt.Sprint("r", i))]
		if n := len(eventsOf[session.Asked](ch)) - asked; n > 0 == free || strings.Contains(end.Result.Text, "from there") != free {
			t.Errorf("with %q: %d asks, %+v", step.dirs, n, end)
		}
		told := eventsOf[session.Reminded](ch)[reminded:]
		if i > 0 && (len(told) > 0) != (step.told != "") || len(told) > 0 && !strings.Contains(told[0].Text, step.told) {
			t.Errorf("with %q the model is told %+v", step.dirs, told)
		}
	}
}
