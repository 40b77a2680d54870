package store_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/store"
)

// TestPreviewOfALivedSession has a session live through three processes, each of which chooses something, and compares its
// end with all of it after each.
func TestPreviewOfALivedSession(t *testing.T) {
	dir, locks := t.TempDir(), t.TempDir()
	each := repeat.Times(120, 120, 250)
	synctest.Test(t, func(t *testing.T) {
		var id session.ID
		for life := range 3 {
			w := sessiontest.NewWorld()
			w.Deps.Journals = store.New(store.Options{Dir: dir, LockDir: locks})
			ids := 0
			w.Deps.NewID = func() string { ids++; return fmt.Sprintf("id-%d-%d", life, ids) }
			m := w.Manager()
			var s *live.Session
			var err error
			if life == 0 {
				s, err = m.Draft(live.DraftOptions{Dir: project, Settings: session.Settings{Model: "first", Mode: session.ModePlan}})
			} else {
				s, err = m.Resume(t.Context(), id)
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range each {
				if i%100 == 50 {
					if err := s.Configure(session.Settings{Model: fmt.Sprint("model ", life, i), Effort: "high", Mode: session.ModeDefault,
						Dirs: session.DirsOf([]string{fmt.Sprint("/more/", life, i)})}); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := s.Send(session.Prompt{Text: fmt.Sprint("prompt ", life, " ", i)}); err != nil {
					t.Fatal(err)
				}
				turn := w.Agent.Turn(t)
				turn.Text(strings.Repeat("words and more\n\n", 100_000/each))
				turn.End(session.TurnCompleted)
				synctest.Wait()
			}
			id = s.ID()
			if err := m.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			m = w.Manager()
			if _, err := m.List(t.Context()); err != nil {
				t.Fatal(err)
			}
			p, ok := m.Preview(t.Context(), id)
			if !ok {
				t.Fatalf("there is no preview in life %d", life)
			}
			if s, err = m.Resume(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if got := s.Meta().Turns; got != p.Meta.Turns {
				t.Errorf("life %d: %d turns, and %d in the list", life, got, p.Meta.Turns)
			}
			history, detach := s.Attach(func(session.Event) {})
			detach()
			turns, d := sessiontest.SameEnd(session.Fold(p.Events), session.Fold(history))
			if d != "" || turns < 10 || turns > each || p.Settings != s.Settings() || p.Meta.Dir != project || p.Meta.Turns != each*(life+1) {
				t.Errorf("life %d: %d turns of %+v with %+v: %s", life, turns, p.Meta, p.Settings, d)
			}
			if err := m.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}
