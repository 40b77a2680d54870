package live_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// tardyJournals take a while for every flush.
type tardyJournals struct {
	*sessiontest.MemoryJournals
	takes time.Duration
}

type tardyJournal struct {
	session.Journal
	takes time.Duration
}

func (s tardyJournals) Create(ctx context.Context, m session.Meta) (session.Journal, error) {
	j, err := s.MemoryJournals.Create(ctx, m)
	return tardyJournal{j, s.takes}, err
}

func (j tardyJournal) Flush() error {
	time.Sleep(j.takes)
	return j.Journal.Flush()
}

// TestSlowDiskDelaysOneFlushOnly streams while every flush takes 100 ms: what is not on disk is at most as old as a flush
// may become, and the time that one takes.
func TestSlowDiskDelaysOneFlushOnly(t *testing.T) {
	const takes = 100 * time.Millisecond
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Deps.Journals = tardyJournals{w.Journals, takes}
		w.Deps.FlushEvery = 200 * time.Millisecond
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		part := turn.OpenPart(session.PartText)
		const every = 10 * time.Millisecond
		for n := 1; n <= 300; n++ {
			turn.Emit(session.PartDelta{Part: part, Text: "x"})
			time.Sleep(every)
			synctest.Wait()
			kept := 0
			if tr := session.Fold(w.Journals.Stored(s.ID())); len(tr.Turns[0].Entries) > 0 {
				kept = tr.Turns[0].Entries[0].(*session.Part).Len()
			}
			if old := time.Duration(n-kept) * every; old > w.Deps.FlushEvery+takes+every {
				t.Fatalf("after %d deltas the oldest that would be lost is %v old", n, old)
			}
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
	})
}

// Whoever waits for a prompt to be stored learns at once that no journal could be opened, and that a later one has it.
func TestStoredWithoutAJournal(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		w.Journals.Fail("create", errBroken)
		before := make(chan error, 1)
		if _, err := s.Send(session.Prompt{ID: "a", Text: "one"}); err != nil {
			t.Fatal(err)
		}
		go func() { before <- s.Stored(t.Context()) }()
		synctest.Wait()
		select {
		case err := <-before:
			if !errors.Is(err, errBroken) {
				t.Errorf("asked while it was tried: %v", err)
			}
		default:
			t.Error("asked while it was tried: no answer")
		}
		if err := s.Stored(t.Context()); !errors.Is(err, errBroken) {
			t.Errorf("asked afterwards: %v", err)
		}
		w.Journals.Fail("create", nil)
		if _, err := s.Send(session.Prompt{ID: "b", Text: "two"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Stored(t.Context()); err != nil {
			t.Errorf("with room on the disk: %v", err)
		}
		closeAll(t, m)
	})
}
