package live_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/store/marks"
)

// titled is an agent that stores titles of sessions that had a turn.
type titled struct {
	*sessiontest.Agent
	mu     sync.Mutex
	stored bool
	titles []string
	tried  chan string // gets each title that was tried
}

func (a *titled) SetTitle(_ context.Context, _ session.ID, title string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer func() { a.tried <- title }()
	if !a.stored {
		return &session.Error{Op: "label", Kind: session.KindNotFound}
	}
	a.titles = append(a.titles, title)
	return nil
}

func (*titled) SetTag(context.Context, session.ID, string) error { return nil }

func (*titled) SetArchived(context.Context, session.ID, bool) error { return nil }

// TestRenameReachesTheAgent renames an open session before its agent stores it, while a turn runs, and at rest: the agent gets each title
// once nothing else writes its record.
func TestRenameReachesTheAgent(t *testing.T) {
	w := sessiontest.NewWorld()
	a := &titled{Agent: w.Agent, tried: make(chan string, 9)}
	w.Deps.Agents = []session.Agent{a}
	m := w.Manager()
	s, err := m.Draft(live.DraftOptions{Dir: project})
	if err != nil {
		t.Fatal(err)
	}
	rename := func(title string) {
		t.Helper()
		if err := s.Rename(title); err != nil {
			t.Fatal(err)
		}
	}
	rename("before")
	if got := <-a.tried; got != "before" {
		t.Errorf("tried %q", got)
	}
	w.Agent.Script(func(turn *sessiontest.Turn) {
		a.mu.Lock()
		a.stored = true
		a.mu.Unlock()
		rename("during")
		turn.Text("hi")
		turn.End(session.TurnCompleted)
	})
	if _, err := s.Ask(t.Context(), session.Prompt{Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	if got := <-a.tried; got != "during" {
		t.Errorf("tried %q", got)
	}
	if _, err := m.Rename(t.Context(), s.ID(), "at  rest"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(t.Context()); err != nil { // which waits
		t.Fatal(err)
	}
	if want := []string{"during", "at rest"}; !slices.Equal(a.titles, want) {
		t.Errorf("%q, want %q", a.titles, want)
	}
}

// TestRenameWithoutJournal renames a session of another program that is open, and one that is not: every list and screen has the title, also
// after a kill and once a prompt has made a journal, and the newest one counts.
func TestRenameWithoutJournal(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		g := &keeping{Agent: w.Agent, events: told("t1", "one", "first"), metas: []session.Meta{{ID: "s", Agent: "builtin", Dir: "/project"}}}
		w.Deps.Agents, w.Deps.Marks = []session.Agent{g}, marks.New(t.TempDir())
		has := func(m *live.Manager, want string) *live.Session {
			t.Helper()
			s, err := m.Resume(t.Context(), "s")
			if err != nil {
				t.Fatal(err)
			}
			list, err := w.Manager().List(t.Context())
			if title := watch(s).transcript().Title; title != want || s.Meta().Title != want || err != nil || len(list) != 1 || list[0].Title != want {
				t.Errorf("%q on the screen, %q described, listed as %+v, %v; want %q", title, s.Meta().Title, list, err, want)
			}
			return s
		}
		m := w.Manager()
		if err := has(m, "").Rename("open"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		has(m, "open")
		other := w.Manager() // as after a kill
		has(other, "open")
		closeAll(t, other)
		closeAll(t, m)
		if events := w.Journals.Stored("s"); len(events) != 0 {
			t.Errorf("a title made a journal: %+v", events)
		}
		if _, err := w.Manager().Rename(t.Context(), "s", "closed"); err != nil {
			t.Fatal(err)
		}
		m = w.Manager()
		s := has(m, "closed")
		send(t, s, "two")
		w.Agent.Turn(t).End(session.TurnCompleted)
		synctest.Wait()
		if err := s.Rename("last"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		closeAll(t, m)
		m = w.Manager()
		has(m, "last")
		closeAll(t, m)
	})
}
