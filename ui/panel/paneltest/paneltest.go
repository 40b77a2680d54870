package paneltest

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/ui/panel"
	"parley/ui/style"
)

// Screen is a stack with one panel on an empty chat. The goroutine of the test owns it.
type Screen struct {
	// Effects are those that the stack does not carry out itself, in their order.
	Effects []panel.Effect
	// Passed are the keys that the panel passed.
	Passed []string

	stack *panel.Stack
	msgs  chan tea.Msg
	left  int // commands that run
}

// bottom is an empty chat.
type bottom struct{}

func (bottom) Update(tea.Msg) (panel.Effect, panel.Cmd) { return panel.Pass{}, nil }
func (bottom) Draw(int, int) panel.Frame                { return panel.Frame{Y: -1} }
func (bottom) Close() panel.Effect                      { return nil }

// Open pushes a panel and starts its first command. What runs ends with the test.
func Open(t testing.TB, p panel.Push) *Screen {
	t.Helper()
	return Do(t, p)
}

// Do carries out an effect on an empty chat. What runs ends with the test.
func Do(t testing.TB, e panel.Effect) *Screen {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &Screen{msgs: make(chan tea.Msg)}
	s.stack = panel.NewStack(ctx, s, bottom{})
	t.Cleanup(func() {
		cancel()
		for ; s.left > 0; s.left-- {
			<-s.msgs
		}
	})
	s.run(s.stack.Do(0, e))
	return s
}

// CarryOut records an effect.
func (s *Screen) CarryOut(_ panel.ID, e panel.Effect) tea.Cmd {
	s.Effects = append(s.Effects, e)
	return nil
}

// Unused records a key.
func (s *Screen) Unused(k tea.KeyPressMsg) tea.Cmd {
	s.Passed = append(s.Passed, k.String())
	return nil
}

// Send routes a message.
func (s *Screen) Send(msg tea.Msg) { s.run(s.stack.Route(msg)) }

// Reply passes a message to the top panel, as an answer to what it asked for.
func (s *Screen) Reply(msg tea.Msg) { s.run(s.stack.Tell(msg)) }

// Keys routes keys by their names, such as "enter" or "x".
func (s *Screen) Keys(names ...string) {
	for _, n := range names {
		s.Send(Key(n))
	}
}

// Key returns the message of a key: a letter, or one of the names below.
func Key(name string) tea.KeyPressMsg {
	codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "space": tea.KeySpace}
	if code, known := codes[name]; known {
		return tea.KeyPressMsg{Code: code}
	}
	if letter, ctrl := strings.CutPrefix(name, "ctrl+"); ctrl {
		return tea.KeyPressMsg{Code: []rune(letter)[0], Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// IsOpen reports whether the panel is open.
func (s *Screen) IsOpen() bool { return s.stack.Covered() }

// Rows draws the top panel and returns its rows without styles. The panel is told that it was drawn.
func (s *Screen) Rows(width, height int) string {
	rows := s.stack.Top().Draw(width, height).Rows
	s.run(s.stack.Drawn())
	return style.Unstyled(strings.Join(rows, "\n"))
}

// Wait routes what the commands bring until none runs.
func (s *Screen) Wait() {
	for s.left > 0 {
		s.take(<-s.msgs)
	}
}

// Next routes what the next command brings. It waits for that.
func (s *Screen) Next() { s.take(<-s.msgs) }

// Until routes what the commands bring until a channel is closed.
func (s *Screen) Until(closed <-chan struct{}) {
	for {
		select {
		case <-closed:
			return
		case msg := <-s.msgs:
			s.take(msg)
		}
	}
}

func (s *Screen) take(msg tea.Msg) {
	s.left--
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	default:
		s.Send(msg)
	}
}

func (s *Screen) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	s.left++
	crash.Go(func() { s.msgs <- cmd() })
}
