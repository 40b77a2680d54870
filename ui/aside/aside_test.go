package aside

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"

	"parley/ui/style"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a panel and runs its commands until the question is answered.
func open(t *testing.T, ask func(ctx context.Context, emit func(string)) error) *Model {
	t.Helper()
	look := &style.Look{Width: 80, Height: 24, Now: time.Now}
	m, cmd := New(Options{Look: look, Context: context.Background(), Question: "why?\x1b[2J",
		Ask: func(ctx context.Context, _ string, emit func(string)) error { return ask(ctx, emit) }})
	msgs := make(chan tea.Msg)
	run := func(cmd tea.Cmd) { go func() { msgs <- cmd() }() }
	left := 0
	for _, c := range cmd().(tea.BatchMsg) {
		left++
		run(c)
	}
	for ; left > 0; left-- {
		if msg, ok := (<-msgs).(Msg); ok {
			if _, next := m.Update(msg); next != nil {
				left++
				run(next)
			}
		}
	}
	return m
}

func TestAnswerAndFailure(t *testing.T) {
	m := open(t, func(_ context.Context, emit func(string)) error {
		emit("A tea")
		emit("pot.\x1b[2J")
		return nil
	})
	if rows := strings.Join(m.Rows(80, 24), "\n"); !strings.Contains(rows, "A teapot.") || !strings.Contains(rows, "why?") || strings.Contains(rows, "\x1b[2J") {
		t.Errorf("%q", rows)
	}
	m = open(t, func(context.Context, func(string)) error { return errors.New("no route") })
	if rows := strings.Join(m.Rows(80, 24), "\n"); !strings.Contains(rows, "no route") {
		t.Error(rows)
	}
	m = open(t, func(context.Context, func(string)) error { return nil })
	if rows := strings.Join(m.Rows(80, 24), "\n"); !strings.Contains(rows, "no answer came") {
		t.Error(rows)
	}
}

// Closing gives up the question; scrolling stays within the answer.
func TestKeys(t *testing.T) {
	m := open(t, func(_ context.Context, emit func(string)) error {
		emit(strings.Repeat("line\n\n", 100))
		return nil
	})
	if rows := m.Rows(40, 12); len(rows) != 12 {
		t.Errorf("%d rows", len(rows))
	}
	for range 300 {
		m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	}
	if rows := m.Rows(40, 12); len(rows) != 12 {
		t.Errorf("%d rows", len(rows))
	}
	asked := make(chan context.Context, 1)
	look := &style.Look{Width: 80, Height: 24, Now: time.Now}
	m, cmd := New(Options{Look: look, Context: context.Background(), Question: "x", Ask: func(ctx context.Context, _ string, _ func(string)) error {
		asked <- ctx
		<-ctx.Done()
		return ctx.Err()
	}})
	ended := make(chan tea.Msg)
	for _, c := range cmd().(tea.BatchMsg) {
		go func() { ended <- c() }()
	}
	<-asked
	if closed, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyEscape}); !closed {
		t.Error("it is open")
	}
	<-ended
	<-ended
}
