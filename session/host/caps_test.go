package host_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/caps"
	"parley/session/live"
)

// A screen sets and reads the limits of a session in a host, which stops it.
func TestLimitsOfCredits(t *testing.T) {
	w := newWorld(t, nil)
	w.stop()
	w.Deps.Caps = caps.New(caps.Options{Now: time.Now, Settings: func() (caps.Caps, error) { return caps.Caps{Session: 100e9}, nil },
		Stored: func(context.Context, time.Time, func(session.ID) bool) (int64, error) { return 3e9, nil }})
	w.start(t)
	s := must(w.screen(t).Draft(live.DraftOptions{Dir: must(filepath.Abs("/project"))(t), Caps: caps.Caps{Session: 10e9}}))(t)
	v := follow(t, s)
	must(s.Send(session.Prompt{Text: "one"}))(t)
	turn := w.Agent.Turn(t)
	turn.StartTool("Bash", `{}`)
	turn.Emit(session.CreditsReported{NanoAIU: 12e9})
	<-turn.Context().Done()
	turn.End(session.TurnCancelled)
	v.until(t, "stopped", func(tr *session.Transcript) bool {
		return len(tr.Turns) > 0 && tr.Turns[0].Outcome == session.TurnLimit
	})
	live.CapsOf(s).Cap(caps.Caps{Session: 20e9})
	if st, err := live.CapsOf(s).Standing(t.Context()); err != nil || st != (caps.Standing{Session: 12e9, Day: 15e9, Caps: caps.Caps{Session: 20e9}}) {
		t.Errorf("%+v %v", st, err)
	}
	must(s.Send(session.Prompt{Text: "two"}))(t)
	if turn = w.Agent.Turn(t); !strings.Contains(turn.Prompt.Text, "two") {
		t.Errorf("%q", turn.Prompt.Text)
	}
	turn.End(session.TurnCompleted)
}
