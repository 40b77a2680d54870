package uitest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// In lines the background is a list with numbers, which other commands name.
func TestWorkInLines(t *testing.T) {
	var asked []sessiontest.WorkRequest
	RunLines(t, Config{}, func(l *Lines) {
		l.Agent.OnWork(func(_ *sessiontest.Conversation, r sessiontest.WorkRequest) error {
			asked = append(asked, r)
			if r.What == "steer" {
				return &session.Error{Op: "steer", Kind: session.KindUnsupported, Err: errors.New("it cannot be told anything")}
			}
			return nil
		})
		l.Type("/background")
		l.Settle()
		l.Type("build")
		turn := l.Agent.Turn(l.T)
		build := turn.StartTool("Bash", `{"command":"make release"}`)
		turn.ToBackground(build)
		child := turn.Child("explore", "look around", "look", true)
		turn.ToBackground(child.Call)
		turn.Emit(session.ToolOutput{Call: build, Text: "cc one.c\ncc two.c\n"})
		time.Sleep(70 * time.Second)
		wait := turn.StartTool("Bash", `{"command":"go test ./..."}`)
		l.Settle()
		said := l.Said()
		for _, want := range []string{"nothing runs in the background", "running make release in the background"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is missing:\n%s", want, said)
			}
		}
		l.News()
		for _, c := range []struct{ typed, says string }{
			{"/background", "background: 1 make release, for 1m 11s"},
			{"/background", "background: 2 explore: look around, for 1m 12s"},
			{"/background 1", "output: cc one.c\ncc two.c"},
			{"/background 2", "no output yet"},
			{"/background 7", "Write /background"},
			{"/background tell 1 hello", "Write /background"},
			{"/background tell 2 mind the tests", "cannot be told anything"},
			{"/background send", ""},
			{"/stop 1", ""},
			{"/stop 9", "/stop NUMBER"},
			{"/status", "2 in the background"},
		} {
			l.Type(c.typed)
			l.Settle()
			if said := l.News(); !strings.Contains(said, c.says) {
				t.Errorf("%s says %s", c.typed, said)
			}
		}
		if len(asked) != 3 || asked[0].What != "steer" || asked[1].What != "background" || asked[1].Call != wait || asked[2].What != "stop" || asked[2].Call != build {
			t.Errorf("asked %+v", asked)
		}
		turn.Emit(session.ToolEnded{Call: build, Outcome: session.ToolCancelled})
		c := turn.Conversation()
		turn.End(session.TurnCompleted)
		h := session.Head{Turn: "auto"}
		c.Emit(session.TurnStarted{Head: h, Origin: session.OriginAutonomous, Because: "make release was stopped", Call: build},
			session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
		l.Settle()
		said = l.News()
		for _, want := range []string{"background: make release stopped after 1m 2", "note: The agent goes on by itself: make release was stopped"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is missing:\n%s", want, said)
			}
		}
	})
}
