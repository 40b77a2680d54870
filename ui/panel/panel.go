package panel

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/session"
)

// Panel is the chat, or what covers it. The event loop owns it: all methods return at once.
type Panel interface {
	// Update handles one message. It returns [Pass] if the message means nothing to the panel and changed nothing; nil means
	// that it was handled.
	Update(msg tea.Msg) (Effect, Cmd)
	// Draw returns at most height rows.
	Draw(width, height int) Frame
	// Close ends the panel. It returns what must not be lost with it, nil for nothing.
	Close() Effect
}

// Frame is the rows of a panel. X and Y are the cell of the cursor; a negative Y means that there is none. Its last row gives way
// to a notice, unless Writes is set: the user writes there. Above goes into the scrollback before it, from the bottom panel only.
type Frame struct {
	Rows   []string
	X, Y   int
	Writes bool
	Above  []string
}

// Messages from the stack and its owner.
type (
	// Covered and Uncovered report that another panel was put above this one, and that it is on top again.
	Covered   struct{}
	Uncovered struct{}
	// Drawn reports that a frame of the panel was made. What the panel missed in it is asked for here: Draw returns no command.
	Drawn struct{}
	// Happened carries events of the session that is shown, once the chat has them.
	Happened []session.Event
	// Restyled reports that the look changed, so that all layouts are stale.
	Restyled struct{}
	// Edited brings what came of [EditText] or [EditFile] to the panel that asked for it.
	Edited struct {
		Text string
		Err  error
	}
)

// ID names a panel of a stack. It is never used again. Zero is no panel.
type ID uint64

// Bottom is the panel at the bottom of a stack.
const Bottom ID = 1

// Cmd is what a panel does in the background. Its context ends with the panel, and its message goes to that panel, or nowhere if
// it is closed by then.
type Cmd func(context.Context) tea.Msg

// batch are commands that run beside each other.
type batch []Cmd

// Batch returns a command that runs several, nil if there are none.
func Batch(cmds ...Cmd) Cmd {
	var all batch
	for _, c := range cmds {
		if c != nil {
			all = append(all, c)
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return func(context.Context) tea.Msg { return all }
}

// Adopt returns a command of a component as one of the panel that holds it, nil for nil.
func Adopt(c tea.Cmd) Cmd {
	if c == nil {
		return nil
	}
	return func(context.Context) tea.Msg {
		msg := c()
		several, is := msg.(tea.BatchMsg)
		if !is {
			return msg
		}
		all := make(batch, 0, len(several))
		for _, one := range several {
			all = append(all, Adopt(one))
		}
		return all
	}
}

// After returns a command whose message comes after d.
func After(d time.Duration, msg tea.Msg) Cmd {
	return func(ctx context.Context) tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}

// Stoppable returns a command that ends early if stop is called, which may be done more than once.
func Stoppable(c Cmd) (_ Cmd, stop context.CancelFunc) {
	stopped, stop := context.WithCancel(context.Background())
	return func(ctx context.Context) tea.Msg {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(stopped, crash.Guarded(cancel))()
		return c(ctx)
	}, stop
}

// result is the message of a command, for the panel that started it.
type result struct {
	to  ID
	msg tea.Msg
}

// Reply returns a message that the stack passes to one panel only.
func Reply(to ID, msg tea.Msg) tea.Msg { return result{to, msg} }

// bound returns the command as the event loop runs it: with the panel's context, and with an address on what comes of it.
func bound(ctx context.Context, to ID, c Cmd) tea.Cmd {
	if c == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := c(ctx).(type) {
		case nil:
			return nil
		case batch:
			all := make(tea.BatchMsg, 0, len(msg))
			for _, one := range msg {
				all = append(all, bound(ctx, to, one))
			}
			return all
		default:
			return result{to, msg}
		}
	}
}
