package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/store"
)

// TestTurnsOfASessionBegunElsewhere goes on in a session of which its agent knows turns that no journal holds: the list
// counts all of them, whichever process added what.
func TestTurnsOfASessionBegunElsewhere(t *testing.T) {
	dir := t.TempDir()
	files := func() *store.Store {
		return store.New(store.Options{Dir: filepath.Join(dir, "sessions"), LockDir: filepath.Join(dir, "locks")})
	}
	w := sessiontest.NewWorld()
	w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("answer") })
	head := session.Head{Session: "s", Turn: "old", Gen: 1}
	keeper := &sessiontest.Keeper{Agent: w.Agent, Metas: []session.Meta{{ID: "s", Agent: "builtin", Dir: "/project", Updated: time.Now()}},
		Events: []session.Event{
			session.TurnStarted{Head: head, Prompt: session.Prompt{ID: "old", Text: "said elsewhere"}},
			session.TurnEnded{Head: head, Outcome: session.TurnCompleted}}}
	w.Deps.Agents = []session.Agent{keeper}
	for want := 2; want <= 3; want++ {
		w.Deps.Journals = files()
		m := w.Manager()
		s, err := m.Resume(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Ask(t.Context(), session.Prompt{Text: "go on"}); err != nil {
			t.Fatal(err)
		}
		if err := m.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		metas, err := files().List(t.Context())
		if err != nil || len(metas) != 1 || metas[0].Turns != want {
			t.Errorf("%d turns are listed as %+v, %v", want, metas, err)
		}
	}
}
