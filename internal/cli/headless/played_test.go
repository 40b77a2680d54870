package headless

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"parley/internal/cli/output"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// played is a run whose agent is in the hands of a test.
type played struct {
	*Printer
	t       *testing.T
	world   *sessiontest.World
	session *live.Session
	out     *bytes.Buffer
}

// play begins a run. Nobody answers.
func play(t *testing.T, o Options) *played {
	t.Helper()
	w := sessiontest.NewWorld()
	w.Deps.Unattended = true
	m := w.Manager()
	t.Cleanup(func() { _ = m.Close(context.Background()) })
	s, err := m.Draft(live.DraftOptions{Dir: "/repos/app", Settings: session.Settings{Model: "opus", Mode: session.ModeDefault}})
	if err != nil {
		t.Fatal(err)
	}
	p := &played{t: t, world: w, session: s, out: &bytes.Buffer{}}
	if o.Out == nil {
		o.Out = output.Results(p.out, nil)
	}
	p.Printer = NewPrinter(o)
	t.Cleanup(p.Begin(s))
	return p
}

// asks sends a prompt, lets a test play its turn, and returns the end of the run and its result.
func (p *played) asks(play func(turn *sessiontest.Turn)) (session.TurnEnded, Result) {
	p.t.Helper()
	over := make(chan struct{})
	go func() {
		defer close(over)
		play(p.world.Agent.Turn(p.t))
	}()
	ended, structured, err := Ask(p.t.Context(), p.session, p.Printer, nil, "go on")
	<-over
	if err != nil {
		p.t.Fatal(err)
	}
	p.Finish(ended, 0, structured)
	var r Result
	lines := strings.Split(strings.TrimSpace(p.out.String()), "\n")
	if p.o.Format == JSON {
		lines = []string{p.out.String()}
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil {
		p.t.Fatalf("%v: %s", err, p.out)
	}
	return ended, r
}

// A plan that nobody could approve is in the result.
func TestThePlanIsTheResult(t *testing.T) {
	for words, want := range map[string]string{"": "1. Do it.", "Not approved.": "1. Do it.\n\nNot approved.", "The plan:\n1. Do it.": "The plan:\n1. Do it."} {
		_, r := play(t, Options{Format: JSON}).asks(func(turn *sessiontest.Turn) {
			_, answer := turn.Ask(session.Asked{Plan: &session.PlanAsk{Plan: "1. Do it."}})
			<-answer
			if words != "" {
				turn.Text(words)
			}
			turn.End(session.TurnCompleted)
		})
		if r.Result != want {
			t.Errorf("%q: %q", words, r.Result)
		}
	}
}

// An interrupt of the wait for an agent in the background is one of the run.
func TestTheWaitIsInterrupted(t *testing.T) {
	p := play(t, Options{Format: JSON})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		turn := p.world.Agent.Turn(t)
		turn.Child("explore", "look around", "look", true)
		turn.End(session.TurnCompleted)
		cancel()
	}()
	ended, _, err := Ask(ctx, p.session, p.Printer, nil, "go on")
	if err != nil || ended.Outcome != session.TurnCancelled || len(p.Notes(true)) != 1 {
		t.Errorf("%v, %+v, %v", err, ended, p.Notes(true))
	}
}
