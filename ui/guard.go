package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
)

// crashMsg carries a panic of a command to the loop, which panics with raise.
type crashMsg struct{ *crash.Crash }

// raised carries a panic of a command through the loop.
type raised struct{ *crash.Crash }

// raise panics. recovered returns the same crash again.
func (c crashMsg) raise() { panic(raised(c)) }

// recovered returns the crash of a panic. Only the deferred function that recovered it calls it.
func recovered(v any) *crash.Crash {
	if r, ok := v.(raised); ok {
		return r.Crash
	}
	return crash.New(v)
}

// guarded returns a command that runs cmd, or each command of a batch, and returns a crashMsg if it panics. Bubble Tea runs
// commands in goroutines, where a panic would leave the terminal as it is.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = crashMsg{crash.New(r)}
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
