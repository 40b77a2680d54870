package chat

import (
	"parley/ui/status"
	"parley/ui/style"
)

// firstPage is the frame before anything was said: the field stands in the upper part, right below what this is, and under it the
// question that is open, else what the field completes, else what to go on with and what to try.
func (v *view) firstPage() (rows []string, cx, cy int) {
	w, height := v.look.Width, v.look.Height
	rule := v.look.Theme.Dim.Of(style.Rule(w))
	want := v.want()
	rows = v.screen.rows[:0]
	if v.screen.tabsTop = -1; height >= 20 {
		v.screen.tabsTop = 0
		rows = append(rows, v.sessions.tabs.Row(w))
	}
	rows = append(rows, v.greeting.Head(w, height)...)
	if height >= 16 {
		rows = append(rows, "")
	}
	v.screen.bodyTop, v.screen.countFrom, v.screen.countTo = len(rows), 0, 0
	v.conv.SetSize(status.Divide(height, want).Body)
	rows = append(rows, v.above().Rows(w, min(want.Attached, height/3))...)
	rows = append(rows, rule)
	own := v.status.rows(w)
	room := max(1, height/3)
	if len(own) >= room {
		own = nil
	}
	text, tx, ty := v.fieldRows(min(max(1, want.Composer-len(own)), room-len(own)))
	cx, cy = tx, len(rows)+ty
	rows = append(append(append(rows, text...), own...), rule, v.header().Using(v.look, w))
	rows, ax, ay := v.under(rows, want, max(0, height-len(rows)-2))
	if ay >= 0 {
		cx, cy = ax, ay
	} else if v.asks.Ask.HasKeyboard() {
		cx, cy = -1, -1
	}
	rows = padded(rows, height-2-len(rows))
	v.screen.statusTop = len(rows)
	rows = append(rows, v.statusLine(w).Row(v.look, w), v.footer(w))
	v.screen.rows = rows
	return rows, cx, cy
}

// under adds what stands below the field of the first page, at most so many rows, with the cell of the cursor in a question.
func (v *view) under(rows []string, want status.Wants, free int) (all []string, cx, cy int) {
	w := v.look.Width
	switch {
	case want.Ask > 0 && free >= 3:
		v.greeting.Hide()
		p, px, py := v.asks.Ask.Rows(w, free)
		v.asks.Ask.Place(len(rows))
		if py >= 0 {
			return append(rows, p...), px, len(rows) + py
		}
		return append(rows, p...), -1, -1
	case want.Popup > 0:
		v.greeting.Hide()
		return append(rows, v.input.ListRows(min(want.Popup, free))...), -1, -1
	}
	return append(rows, v.greeting.List(w, free, len(rows))...), -1, -1
}
