package ui

import (
	"strings"

	"parley/session"
	"parley/ui/style"
)

// inlineChat returns the chat as an inline frame: what still changes and what is the user's, as low as it can be. above goes
// into the scrollback before it.
func (v *view) inlineChat() (above, rows []string, cx, cy int) {
	r := divide(v.screen.height, v.want())
	var ask *session.Ask
	if q := v.asks.ask.Question(); q != nil {
		ask = q.Ask
	}
	above, live := v.reader.inl.Rows(v.headerRow, ask, max(1, r.body+r.air))
	rows = append(v.screen.rows[:0], live...)
	if len(live) > 0 && r.gap > 0 {
		rows = append(rows, "")
	}
	rows, cx, cy = v.lower(rows, r)
	return above, rows, cx, cy
}

// cover is how many rows there are for what covers the chat. Inline it is half of the window: each row it takes scrolls one
// away, and there is nothing to put into its place when it is gone.
func (s *screen) cover() int {
	if !s.opts.Appearance.Inline {
		return s.height
	}
	return min(s.height, max(style.MinHeight, (s.height+1)/2)) - 1 // for the rule above it
}

// listHeight is how many rows the open list gets: inline not more than it has use for, whatever its filter leaves.
func (c *covers) listHeight() int {
	h := c.screen.cover()
	if c.opts.Appearance.Inline {
		h = c.list.Want(c.screen.width, h)
	}
	return h
}

// lowered is a view that covers the screen, as an inline frame: no higher than what it holds.
func lowered(rows []string) []string {
	for len(rows) > 0 && strings.TrimSpace(style.Unstyled(rows[len(rows)-1])) == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}
