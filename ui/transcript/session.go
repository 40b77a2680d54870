package transcript

import "parley/session"

// Session is the session's conversation, whatever is on the screen: a child agent that the user looks into covers it.
type Session struct{ win *window }

// Runtime returns the detail that the agent's runtime reported last, not made visible.
func (s Session) Runtime() string { return s.win.feed.activity.runtime }

// Background returns the number of commands and child agents that run in the background.
func (s Session) Background() int { return len(s.win.feed.t.Background()) }

// Bottom goes to the end.
func (s Session) Bottom() { s.win.feed.rows.Bottom() }

// TopTurn returns the turn at the top of the window on the session's conversation, "" if the window follows the end.
func (s Session) TopTurn() session.TurnID {
	f, at := s.win.feed, session.TurnID("")
	if i, _, ok := f.rows.ItemAt(0); ok && !f.rows.Following() {
		for n, first := range f.first {
			if first <= i {
				at = f.t.Turns[n].ID
			}
		}
	}
	return at
}

// Reveal brings the item that shows an open ask onto the screen, if the reader is at the end: its first row, or row if that
// would be below the window. It reports whether that left the end.
func (s Session) Reveal(ask *session.Ask, row int) (left bool) {
	f := s.win.feed
	if !f.rows.Following() {
		return false
	}
	for i := len(f.list) - 1; i >= 0; i-- {
		if it := f.list[i]; !it.state().hidden && it.openAsk() == ask {
			f.rows.Reveal(i)
			if row >= s.win.room {
				f.rows.RevealRow(i, row) // the context of a change matters less than the change
			}
			return !f.rows.Following()
		}
	}
	return false
}
