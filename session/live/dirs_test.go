package live_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// TestDirsChange gives a session directories while it lives and takes one back: its description, the next conversation, a resume, a
// fork and the session of another process have them. Settings without directories change none.
func TestDirsChange(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("yes") })
		var opened [][]string
		w.Agent.OnOpen(func(_ context.Context, o session.OpenOptions) error {
			opened = append(opened, o.Dirs)
			return nil
		})
		m := w.Manager()
		s, err := m.Draft(live.DraftOptions{Dir: project, Dirs: []string{"/begun"}})
		if err != nil {
			t.Fatal(err)
		}
		choose := func(s *live.Session, dirs session.Dirs) {
			t.Helper()
			v := s.Settings()
			v.Dirs = dirs
			if err := s.Configure(v); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		is := func(what string, m session.Meta, want ...string) {
			t.Helper()
			if !slices.Equal(m.Dirs, want) {
				t.Errorf("%s: %q, not %q", what, m.Dirs, want)
			}
		}
		choose(s, "")
		is("no choice", s.Meta(), "/begun")
		if _, err := s.Ask(t.Context(), session.Prompt{Text: "one"}); err != nil {
			t.Fatal(err)
		}
		two := session.DirsOf([]string{"/begun", "/more"})
		choose(s, two)
		is("added", s.Meta(), "/begun", "/more")
		if err := s.Configure(session.Settings{Mode: session.ModePlan}); err != nil || s.Settings().Dirs != two {
			t.Errorf("another choice: %v, %q", err, s.Settings().Dirs)
		}
		if _, err := s.Ask(t.Context(), session.Prompt{Text: "two"}); err != nil {
			t.Fatal(err)
		}
		fork, err := m.Fork(t.Context(), s.ID(), "")
		if err != nil {
			t.Fatal(err)
		}
		is("forked", fork.Meta(), "/begun", "/more")
		choose(fork, session.DirsOf(nil))
		is("the original", s.Meta(), "/begun", "/more")
		closeAll(t, m)

		m = w.Manager()
		is("the copy resumed", resume(t, m, fork.ID()).Meta())
		again := resume(t, m, s.ID())
		is("resumed", again.Meta(), "/begun", "/more")
		choose(again, session.DirsOf([]string{"/more"})) // stored without a prompt
		closeAll(t, m)

		m = w.Manager()
		last := resume(t, m, s.ID())
		if _, err := last.Ask(t.Context(), session.Prompt{Text: "three"}); err != nil {
			t.Fatal(err)
		}
		if got := opened[len(opened)-1]; !slices.Equal(got, []string{"/more"}) {
			t.Errorf("the conversation got %q", got)
		}
		if tr := watch(last).transcript(); tr.Settings.Dirs != session.DirsOf([]string{"/more"}) || tr.Settings.Mode != session.ModePlan {
			t.Errorf("%+v", tr.Settings)
		}
		closeAll(t, m)
	})
}
