package lines_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui/core"
	"parley/ui/lines"
)

// A pipe of lines holds a whole conversation: each prompt waits for the answer before it, and the end of the lines ends
// the chat.
func TestLinesOfAPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := sessiontest.NewWorld()
		w.Agent.Script(func(turn *sessiontest.Turn) {
			turn.Text("You said " + turn.Prompt.Text + ".")
			turn.End(session.TurnCompleted)
		})
		manager := w.Manager()
		s, err := manager.Draft(live.DraftOptions{Dir: "/project"})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		o := core.Options{Manager: manager, Session: s, Agent: "builtin", Version: "test", Dir: "/project", Output: &out, Now: time.Now, Signals: make(chan os.Signal),
			Input: strings.NewReader("one\ntwo\\\nlines\n/status\n")}
		r, err := lines.Run(t.Context(), lines.Options{Options: o})
		if err != nil || r.Reason != core.LeftQuit || !r.Begun || r.Session != s.ID() {
			t.Errorf("ended as %+v, %v", r, err)
		}
		text := out.String()
		for _, want := range []string{"you: one\n", "assistant: You said one.\n", "you: two\n", "assistant: You said two\n", "note: Nothing is running\n"} {
			at := strings.Index(text, want)
			if at < 0 {
				t.Fatalf("%q does not follow in\n%s", want, out.String())
			}
			text = text[at+len(want):]
		}
		if err := manager.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
