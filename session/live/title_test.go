package live_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// namer is a titler that a test answers for.
type namer struct {
	calls   int
	prompt  string
	answer  string
	title   string
	err     error
	waiting chan struct{} // not nil: a title is made once it is closed, or never
}

func (n *namer) Title(ctx context.Context, prompt, answer string) (string, error) {
	n.calls++
	n.prompt, n.answer = prompt, answer
	if n.waiting != nil {
		select {
		case <-n.waiting:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return n.title, n.err
}

// answered sends a prompt and lets the agent answer it.
func answered(t *testing.T, w *sessiontest.World, s *live.Session, text string) {
	t.Helper()
	send(t, s, text)
	turn := w.Agent.Turn(t)
	turn.Text("Because of a race.")
	turn.End(session.TurnCompleted)
	time.Sleep(time.Second)
	synctest.Wait()
}

func TestFirstAnswerGivesATitle(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		n := &namer{title: "Flaky upload test"}
		w.Deps.Titler = n
		m := w.Manager()
		defer closeAll(t, m)
		s := draft(t, m)
		answered(t, w, s, "why does it flake?")
		if s.Meta().Title != "Flaky upload test" || watch(s).transcript().Title != "Flaky upload test" {
			t.Errorf("titled %q", s.Meta().Title)
		}
		if n.prompt != "why does it flake?" || n.answer != "Because of a race." {
			t.Errorf("made of %q and %q", n.prompt, n.answer)
		}
		answered(t, w, s, "and now?")
		if n.calls != 1 {
			t.Errorf("asked %d times", n.calls)
		}
	})
}

func TestTitleIsAskedForOnce(t *testing.T) {
	for name, n := range map[string]*namer{"none": {}, "failed": {err: errors.New("no route")}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, w *sessiontest.World) {
				w.Deps.Titler = n
				m := w.Manager()
				defer closeAll(t, m)
				s := draft(t, m)
				send(t, s, "stopped")
				_ = w.Agent.Turn(t)
				s.Abort()
				time.Sleep(time.Second)
				synctest.Wait()
				if n.calls != 0 {
					t.Error("a turn that was stopped asked for a title")
				}
				for range 3 {
					answered(t, w, s, "go on")
				}
				if n.calls != 1 || s.Meta().Title != "" {
					t.Errorf("asked %d times, titled %q", n.calls, s.Meta().Title)
				}
			})
		})
	}
}

func TestUsersTitleStays(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		n := &namer{title: "Theirs", waiting: make(chan struct{})}
		w.Deps.Titler = n
		m := w.Manager()
		defer closeAll(t, m)
		s := draft(t, m)
		answered(t, w, s, "hello")
		if err := s.Rename("  My\nown  title "); err != nil {
			t.Fatal(err)
		}
		close(n.waiting)
		time.Sleep(time.Second)
		if got := s.Meta().Title; got != "My own title" {
			t.Errorf("titled %q", got)
		}
		if err := s.Rename(" \n"); session.KindOf(err) != session.KindInvalid {
			t.Errorf("an empty title: %v", err)
		}
		if err := s.Rename(strings.Repeat("漢", 1000)); err != nil || len([]rune(s.Meta().Title)) != 200 {
			t.Errorf("a long title: %v, %d characters", err, len([]rune(s.Meta().Title)))
		}
	})
}

func TestCloseEndsTheTitle(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Deps.Titler = &namer{title: "late", waiting: make(chan struct{})}
		m := w.Manager()
		s := draft(t, m)
		answered(t, w, s, "hello")
		begun := time.Now()
		closeAll(t, m)
		if took := time.Since(begun); took > time.Second {
			t.Errorf("closing waited %v for a title", took)
		}
	})
}

// TestRenamedSessionKeepsItsTitle renames a stored session that only was opened, and a draft.
func TestRenamedSessionKeepsItsTitle(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		if err := s.Rename("Before the first prompt"); err != nil {
			t.Fatal(err)
		}
		answered(t, w, s, "hello")
		closeAll(t, m)
		next := w.AfterCrash()
		m = next.Manager()
		s, err := m.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Meta().Title; got != "Before the first prompt" {
			t.Errorf("titled %q", got)
		}
		if err := s.Rename("After"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		last := next.AfterCrash()
		m2 := last.Manager()
		defer closeAll(t, m2)
		again, err := m2.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		if got := again.Meta().Title; got != "After" {
			t.Errorf("titled %q after a kill", got)
		}
		closeAll(t, m)
	})
}
