package chat

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// life runs commands: beside the event loop, until the program ends.
type life struct{ ctx context.Context }

// after returns a command that delivers a message d later, unless the program ends before; nil without a message.
func (b life) after(d time.Duration, msg tea.Msg) tea.Cmd {
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
