package ui

import (
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Reading a session with more events than this takes much more memory than keeping it does, and the Go runtime would give
// the difference back within minutes only.
const manyEvents = 5000

// giveBackAfter is how long after a long session was read the memory goes back: its first frames come before.
const giveBackAfter = time.Second

// giveBack gives back to the system, once, what reading a long session took.
func (ss *sessions) giveBack() tea.Cmd {
	if ss.read <= manyEvents {
		return nil
	}
	ss.read = 0
	wait := ss.work.after(giveBackAfter, struct{}{})
	return func() tea.Msg {
		if wait() != nil {
			debug.FreeOSMemory()
		}
		return nil
	}
}
