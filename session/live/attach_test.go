package live_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// A sink that attaches while another one lags gets nothing twice.
func TestAttachWhileAnotherIsBehind(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		blocked, release := make(chan struct{}), make(chan struct{})
		var once sync.Once
		s.Attach(func(session.Event) { once.Do(func() { close(blocked); <-release }) })
		send(t, s, "go")
		<-blocked
		w.Agent.Turn(t).Text("a", "b")
		late := watch(s)
		close(release)
		closeAll(t, m)
		if n := late.count("part_started"); n != 1 || late.transcript().Turns[0].Entries[0].(*session.Part).Text() != "ab" || late.count("turn_started") != 1 {
			t.Errorf("saw %q", late.types())
		}
	})
}

// The history does not grow with every delta.
func TestHistoryJoinsDeltas(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		part := turn.OpenPart(session.PartText)
		call := turn.StartTool("Bash", "{}")
		for range 500 {
			turn.Emit(session.PartDelta{Part: part, Text: "ab"})
		}
		for range 500 {
			turn.Emit(session.ToolOutput{Call: call, Text: "cd"})
		}
		half, detach := s.Attach(func(session.Event) {})
		turn.Emit(session.ToolOutput{Call: call, Text: "ef"})
		detach()
		whole, detach := s.Attach(func(session.Event) {})
		detach()
		if len(whole) > 10 || len(half) != len(whole) {
			t.Errorf("history of %d events", len(whole))
		}
		for i, h := range [][]session.Event{half, whole} {
			entries := session.Fold(h).Turns[0].Entries
			p, tool := entries[0].(*session.Part), entries[1].(*session.Tool)
			if p.Len() != 1000 || len(tool.Output()) != 1000+2*i {
				t.Errorf("%d bytes of text, %d of output", p.Len(), len(tool.Output()))
			}
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
	})
}

// A sink that attaches at any moment sees every event exactly once.
func TestAttachMissesAndRepeatsNothing(t *testing.T) {
	w := sessiontest.NewWorld()
	m := w.Manager()
	s := draft(t, m)
	const n = 2000
	w.Agent.Script(func(turn *sessiontest.Turn) {
		part := turn.OpenPart(session.PartText)
		for i := range n {
			turn.Emit(session.PartDelta{Part: part, Text: fmt.Sprintf("%d,", i)})
		}
	})
	var all []*watcher
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			all = append(all, watch(s))
			_, detach := s.Attach(func(session.Event) {})
			detach()
		}
	}()
	if _, err := s.Ask(t.Context(), session.Prompt{Text: "go"}); err != nil {
		t.Fatal(err)
	}
	<-done
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for i := range n {
		fmt.Fprintf(&want, "%d,", i)
	}
	for i, seen := range all {
		tr := seen.transcript()
		if len(tr.Turns) != 1 || tr.Turns[0].Entries[0].(*session.Part).Text() != want.String() || tr.Turns[0].Running() {
			t.Fatalf("watcher %d missed or repeated something", i)
		}
	}
	closeAll(t, m)
}
