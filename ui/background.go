package ui

import (
	"context"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
)

// background is where commands run: beside the event loop, until the program ends.
type background struct{ ctx context.Context }

// after returns a command that delivers a message d later, unless the program ends before; nil without a message.
func (b background) after(d time.Duration, msg tea.Msg) tea.Cmd {
	if msg == nil {
		return nil
	}
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-b.ctx.Done():
			return nil
		}
	}
}

// crashMsg carries a panic of a command to the loop, which panics with it.
type crashMsg struct {
	value any
	stack []byte
}

// guarded returns a command that runs cmd, or each command of a batch, and ends the program if it panics. Bubble Tea runs
// commands in goroutines, where a panic would leave the terminal as it is.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = crashMsg{r, debug.Stack()}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = guarded(c)
			}
		}
		return msg
	}
}
