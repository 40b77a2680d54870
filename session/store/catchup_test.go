package store_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/store"
)

// project is the directory of sessions.
var project, _ = filepath.Abs("/project")

// TestCatchingUpInTheMiddleOfAText resumes a session while another process is writing an answer. Once that one is gone, the
// answer is here as a whole.
func TestCatchingUpInTheMiddleOfAText(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := sessiontest.NewWorld()
		w.Deps.Journals = store.New(store.Options{Dir: filepath.Join(dir, "sessions"), LockDir: filepath.Join(dir, "locks")})
		first, second := w.Manager(), w.Manager()
		other, err := first.Draft(live.DraftOptions{Dir: project})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Send(session.Prompt{Text: "go"}); err != nil {
			t.Fatal(err)
		}
		turn := w.Agent.Turn(t)
		part := turn.OpenPart(session.PartText)
		for _, text := range []string{"one ", "two "} {
			turn.Emit(session.PartDelta{Part: part, Text: text})
			time.Sleep(time.Second)
		}
		here, err := second.Resume(t.Context(), other.ID())
		if err != nil {
			t.Fatal(err)
		}
		turn.Emit(session.PartDelta{Part: part, Text: "three"})
		turn.End(session.TurnCompleted)
		synctest.Wait()
		if err := first.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("answer") })
		if _, err := here.Ask(t.Context(), session.Prompt{Text: "mine"}); err != nil {
			t.Fatal(err)
		}
		history, detach := here.Attach(func(session.Event) {})
		detach()
		if text := session.Fold(history).Turns[0].Entries[0].(*session.Part).Text(); text != "one two three" {
			t.Errorf("the answer is %q", text)
		}
		if err := second.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}
