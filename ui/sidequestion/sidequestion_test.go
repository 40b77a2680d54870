package sidequestion

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parley/ui/panel"
	"parley/ui/panel/paneltest"
	"parley/ui/style"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a panel on a question that is being answered.
func open(t *testing.T, ask func(ctx context.Context, emit func(string)) error) *paneltest.Screen {
	t.Helper()
	look := &style.Look{Width: 80, Height: 24, Now: time.Now}
	push := Run(look, func(ctx context.Context, _ string, emit func(string)) error { return ask(ctx, emit) }, "why?\x1b[2J")
	return paneltest.Open(t, push.(panel.Push))
}

func TestAnswerAndFailure(t *testing.T) {
	for want, ask := range map[string]func(context.Context, func(string)) error{
		"A teapot.␛[2J": func(_ context.Context, emit func(string)) error {
			emit("A tea")
			emit("pot.\x1b[2J")
			return nil
		},
		"no route":       func(context.Context, func(string)) error { return errors.New("no route") },
		"no answer came": func(context.Context, func(string)) error { return nil },
	} {
		s := open(t, ask)
		s.Wait()
		if rows := s.Rows(80, 24); !strings.Contains(rows, want) || !strings.Contains(rows, "why?␛[2J") {
			t.Errorf("%q is missing in\n%s", want, rows)
		}
	}
}

func TestAQuestionIsNeeded(t *testing.T) {
	if _, is := Run(&style.Look{}, nil, "").(panel.Notice); !is {
		t.Error("nothing was asked, and nothing is said")
	}
}

// Scrolling stays within the answer.
func TestScrolling(t *testing.T) {
	s := open(t, func(_ context.Context, emit func(string)) error {
		emit(strings.Repeat("line\n\n", 100))
		return nil
	})
	s.Wait()
	for _, key := range []string{"", "down", "pgdown"} {
		for range 300 {
			if key != "" {
				s.Keys(key)
			}
		}
		if n := strings.Count(s.Rows(40, 12), "\n"); n != 11 {
			t.Errorf("%q: %d rows", key, n+1)
		}
	}
}

// Closing gives up the question.
func TestClosing(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c", "enter", "q"} {
		asked, over := make(chan struct{}), make(chan struct{})
		s := open(t, func(ctx context.Context, _ func(string)) error {
			close(asked)
			<-ctx.Done()
			close(over)
			return ctx.Err()
		})
		s.Until(asked)
		if s.Keys(key); s.IsOpen() {
			t.Errorf("%s leaves it open", key)
		}
		<-over
		s.Wait()
	}
}
