package live_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// TestTurnsOfAnotherProcessComeBeforeTheNextPrompt refuses a prompt because another process has the session, lets that one
// have a turn and end, and sends again: the other's turn stands before the newer prompt, on the screen as in the journal.
func TestTurnsOfAnotherProcessComeBeforeTheNextPrompt(t *testing.T) {
	for _, held := range []bool{true, false} { // whether the other had the session when it was resumed here
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			putOld(w)
			w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("answer to " + turn.Prompt.Text) })
			first, second := w.Manager(), w.Manager()
			var here *live.Session
			if !held {
				here = resume(t, second, "s")
			}
			other := resume(t, first, "s")
			if _, err := other.Ask(t.Context(), session.Prompt{Text: "theirs 1"}); err != nil {
				t.Fatal(err)
			}
			if held {
				here = resume(t, second, "s")
			}
			seen := watch(here)
			if _, err := here.Ask(t.Context(), session.Prompt{Text: "refused"}); session.KindOf(err) != session.KindLocked {
				t.Fatalf("sent all the same: %v", err)
			}
			if _, err := other.Ask(t.Context(), session.Prompt{Text: "theirs 2"}); err != nil {
				t.Fatal(err)
			}
			closeAll(t, first)
			if end, err := here.Ask(t.Context(), session.Prompt{Text: "mine"}); err != nil || end.Outcome != session.TurnCompleted {
				t.Fatalf("%+v %v", end, err)
			}
			synctest.Wait()
			closeAll(t, second)
			for name, events := range map[string][]session.Event{"seen": seen.all(), "stored": w.Journals.Stored("s")} {
				var prompts []string
				for _, turn := range named(session.Fold(events)) {
					prompts = append(prompts, turn.Prompt.Text)
				}
				got := strings.Join(prompts, ", ")
				if !strings.HasSuffix(got, "mine") || strings.Count(got, "mine") != 1 || !strings.Contains(got, "theirs 2") {
					t.Errorf("held %t, %s: %s", held, name, got)
				}
			}
		})
	}
}
