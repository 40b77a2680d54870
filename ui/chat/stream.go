package chat

import (
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/attention"
	"parley/ui/core"
)

// stream delivers the events of the session that is shown to the event loop.
type stream struct {
	work  life
	watch *attention.Watch
	pump  func(*core.Inbox) // starts the pump of an inbox

	inbox *core.Inbox // nil while no session is followed
	read  int         // events that came with the session, until the memory for reading them is freed
}

// join follows a session and returns its events so far. The new ones wait until start is called.
func (st *stream) join(s *live.Session) []session.Event {
	var history []session.Event
	history, st.inbox = core.NewInbox(s)
	st.pace()
	return history
}

// start lets new events wake the loop.
func (st *stream) start() { st.pump(st.inbox) }

// release ends following a session, and returns its inbox.
func (st *stream) release() *core.Inbox {
	b := st.inbox
	st.inbox = nil
	return b
}

// leave ends following a session.
func (st *stream) leave() {
	if st.inbox != nil {
		st.inbox.Close()
	}
	st.inbox = nil
}

// take returns the events in an inbox, none for that of a session that was left, and whether they replace all before.
func (st *stream) take(from *core.Inbox) (events []session.Event, anew bool) {
	if from != st.inbox {
		return nil, false
	}
	return from.Next()
}

// pace sets how often streaming text wakes the loop: less often while the window has no focus.
func (st *stream) pace() {
	switch {
	case st.inbox == nil:
	case st.watch.Focused():
		st.inbox.SetInterval(core.StreamInterval)
	default:
		st.inbox.SetInterval(core.BlurInterval)
	}
}

// Reading a session with more events than this takes much more memory than keeping it does, and the Go runtime would give
// the difference back within minutes only.
const manyEvents = 5000

// freeAfter is the time after which the memory of reading a long session is freed: its first frames come before.
const freeAfter = time.Second

// freeMemory returns the memory that reading a long session took to the system, once.
func (st *stream) freeMemory() tea.Cmd {
	if st.read <= manyEvents {
		return nil
	}
	st.read = 0
	wait := st.work.after(freeAfter, struct{}{})
	return func() tea.Msg {
		if wait() != nil {
			debug.FreeOSMemory()
		}
		return nil
	}
}
