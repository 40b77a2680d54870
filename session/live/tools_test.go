package live_test

import (
	"testing"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// A conversation is opened with the tools of parley, and asked about them again before each prompt.
func TestToolsAreGiven(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		calls := 0
		w.Deps.Tools = func(a session.Agent, o session.OpenOptions) []session.ClientTool {
			calls++
			if a.Name() != "builtin" || o.Dir == "" || o.Session == "" {
				t.Errorf("asked for %+v", o)
			}
			return []session.ClientTool{{Name: "notify"}}
		}
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.End(session.TurnCompleted) })
		m := w.Manager()
		defer m.Close(t.Context())
		s, err := m.Draft(live.DraftOptions{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Ask(t.Context(), session.Prompt{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
		if got := w.Agent.Conversations()[0].Options.Tools; calls != 1 || len(got) != 1 || got[0].Name != "notify" {
			t.Errorf("asked %d times, opened with %+v", calls, got)
		}
	})
}
