package chat

import (
	"context"
	"testing"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui/attention"
	"parley/ui/core"
)

// The memory is returned once for each long session that is shown, and never for others.
func TestMemoryIsFreedOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing is waited for
	st := &stream{work: life{ctx}}
	for read, want := range map[int]bool{0: false, manyEvents: false, manyEvents + 1: true} {
		st.read = read
		give := st.freeMemory()
		if (give != nil) != want {
			t.Errorf("after %d events: %t", read, give != nil)
		}
		if give != nil && give() != nil {
			t.Error("it brings a message")
		}
		if st.freeMemory() != nil {
			t.Error("twice")
		}
	}
}

// The inbox of a session that was left brings nothing more.
func TestAnInboxThatWasLeftBringsNothing(t *testing.T) {
	mgr := sessiontest.NewWorld().Manager()
	s, err := mgr.Draft(live.DraftOptions{Dir: "/project"})
	if err != nil {
		t.Fatal(err)
	}
	var pumped []*core.Inbox
	st := &stream{watch: &attention.Watch{Now: time.Now}, pump: func(b *core.Inbox) { pumped = append(pumped, b) }}
	st.join(s)
	st.start()
	old := st.inbox
	if len(pumped) != 1 || pumped[0] != old {
		t.Fatal("the inbox is not pumped")
	}
	configure := func(model string) {
		t.Helper()
		if err := s.Configure(session.Settings{Model: model}); err != nil {
			t.Fatal(err)
		}
	}
	configure("one")
	if n := len(taken(st, old)); n != 1 {
		t.Errorf("%d events", n)
	}
	st.leave()
	st.leave()
	st.pace()
	configure("two")
	if len(taken(st, old)) != 0 {
		t.Error("it is read")
	}
}

// taken returns the events that a stream takes from an inbox.
func taken(st *stream, from *core.Inbox) []session.Event {
	events, _ := st.take(from)
	return events
}
