package live_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// A journal that cannot be written is reported once, and nothing is lost when it can be again.
func TestJournalFailureIsReportedOnce(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		w.Journals.Fail("append", &session.Error{Op: "write journal", Kind: session.KindDisk, Err: errors.New("no space left")})
		turn.Text("a")
		synctest.Wait()
		turn.Text("b")
		time.Sleep(time.Second)
		synctest.Wait()
		if n := seen.count("notice"); n != 1 {
			t.Errorf("told %d times: %q", n, seen.types())
		}
		w.Journals.Fail("append", nil)
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		if tr := session.Fold(w.Journals.Stored(s.ID())); tr.Turns[0].Outcome != session.TurnCompleted || len(tr.Turns[0].Entries) != 3 {
			t.Errorf("stored %+v", tr.Turns[0])
		}
	})
}

func TestResumeOfASessionWhoseAgentIsGone(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Journals.Put(session.Meta{ID: "s", Agent: "claude", Dir: project},
			session.TurnStarted{Head: session.Head{Turn: "t"}, Prompt: session.Prompt{ID: "t", Text: "old"}},
			session.TurnEnded{Head: session.Head{Turn: "t"}, Outcome: session.TurnCompleted})
		m := w.Manager()
		s, err := m.Resume(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := m.Resume(t.Context(), "s"); err != nil || again != s {
			t.Errorf("resumed twice: %v", err)
		}
		end, err := s.Ask(t.Context(), session.Prompt{Text: "go"})
		if session.KindOf(err) != session.KindUnsupported || !strings.Contains(end.Problem.What, "claude") {
			t.Errorf("%+v %v", end, err)
		}
		closeAll(t, m)
	})
}

// What another process added between reading the journal and locking it is shown, once.
func TestResumeCatchesUpWithAnotherProcess(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("answer to " + turn.Prompt.Text) })
		first, second := w.Manager(), w.Manager()
		s := draft(t, first)
		ask := func(s *live.Session, text string) {
			if end, err := s.Ask(t.Context(), session.Prompt{Text: text}); err != nil || end.Outcome != session.TurnCompleted {
				t.Fatalf("%s: %+v %v", text, end, err)
			}
		}
		ask(s, "1")
		copied, err := second.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		ask(s, "2")
		closeAll(t, first)
		seen := watch(copied)
		ask(copied, "3")
		closeAll(t, second)
		for name, events := range map[string][]session.Event{"seen": seen.all(), "stored": w.Journals.Stored(s.ID())} {
			prompts := map[string]int{}
			for _, e := range events {
				if e, ok := e.(session.TurnStarted); ok {
					prompts[e.Prompt.Text]++
				}
			}
			if len(prompts) != 3 || prompts["1"] != 1 || prompts["2"] != 1 || prompts["3"] != 1 {
				t.Errorf("%s: %v", name, prompts)
			}
		}
		conversations := w.Agent.Conversations()
		if h := conversations[len(conversations)-1].Options.History; h == nil || len(named(h)) != 2 {
			t.Errorf("history %+v", h)
		}
	})
}

// Closing does not wait longer than it may, whatever hangs.
func TestCloseIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		hang := make(chan struct{})
		w.Agent.OnOpen(func(context.Context, session.OpenOptions) error { <-hang; return nil })
		send(t, s, "go")
		synctest.Wait()
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := m.Close(ctx); err == nil || time.Since(begun) > time.Second {
			t.Errorf("closed in %v: %v", time.Since(begun), err)
		}
		close(hang)
		time.Sleep(time.Minute)
		synctest.Wait()
		if w.Journals.Locked(s.ID()) || w.Endpoints.IsOpen(s.ID()) {
			t.Error("something is still held")
		}
		if err := m.Close(t.Context()); err != nil {
			t.Errorf("again: %v", err)
		}
		if _, err := m.Draft(live.DraftOptions{Dir: project}); session.KindOf(err) != session.KindInvalid {
			t.Errorf("draft after close: %v", err)
		}
	})
}

// Closing in the middle of a turn keeps what waits for the next time.
func TestCloseKeepsTheQueue(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		w.Agent.Turn(t).OpenPart(session.PartText, "half")
		send(t, s, "later")
		closeAll(t, m)
		m = w.AfterCrash().Manager()
		s, err := m.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		tr := watch(s).transcript()
		if len(tr.Queue) != 1 || tr.Queue[0].Text != "later" || tr.Turns[0].Outcome != session.TurnCancelled {
			t.Errorf("resumed as %+v", tr)
		}
		if p, ok := s.Unqueue(tr.Queue[0].ID); !ok || p.Text != "later" {
			t.Errorf("took back %+v %v", p, ok)
		}
		closeAll(t, m)
	})
}

func TestListIsNewestFirst(t *testing.T) {
	w := sessiontest.NewWorld()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w.Deps.Agents = []session.Agent{&replayer{Agent: w.Agent, metas: []session.Meta{
		{ID: "own", Updated: at.Add(2 * time.Hour)}, {ID: "old", Title: "not this"}}}}
	w.Journals.Put(session.Meta{ID: "old", Agent: "builtin", Title: "this", Updated: at})
	w.Journals.Put(session.Meta{ID: "new", Agent: "builtin", Updated: at.Add(3 * time.Hour)})
	metas, err := w.Manager().List(t.Context())
	var ids []session.ID
	for _, m := range metas {
		ids = append(ids, m.ID)
	}
	if err != nil || !slices.Equal(ids, []session.ID{"new", "own", "old"}) || metas[2].Title != "this" {
		t.Errorf("%v %+v", err, metas)
	}
}

// What was changed in a session that was only looked at is kept as well.
func TestChoicesWithoutAPromptAreKept(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project},
			session.TurnStarted{Head: session.Head{Turn: "t"}, Prompt: session.Prompt{ID: "t", Text: "old"}},
			session.Queued{Prompt: session.Prompt{ID: "q", Text: "waits"}})
		m := w.Manager()
		s, err := m.Resume(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Configure(session.Settings{Model: "haiku"}); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Unqueue("q"); !ok {
			t.Error("nothing waits")
		}
		closeAll(t, m)
		tr := session.Fold(w.Journals.Stored("s"))
		if tr.Settings.Model != "haiku" || len(tr.Queue) != 0 || tr.Turns[0].Outcome != session.TurnCancelled || w.Journals.Locked("s") {
			t.Errorf("stored %+v", tr)
		}
		// Looking alone writes nothing.
		m = w.Manager()
		before := len(w.Journals.Stored("s"))
		if _, err := m.Resume(t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		closeAll(t, m)
		if n := len(w.Journals.Stored("s")); n != before {
			t.Errorf("looking wrote %d events", n-before)
		}
	})
}
