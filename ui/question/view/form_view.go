package view

import (
	"parley/internal/human"
	"parley/ui/style"
)

// formAbout returns the rows above a step: the whole title where the head cuts it, and the detail.
func (sk sketch) formAbout() (rows []string) {
	if sk.look.Measure.Width(sk.of.q.Title) > (sk.look.Width-4)/2 {
		for _, s := range sk.look.Measure.Wrap(sk.of.q.Title, sk.look.Width-4) {
			rows = append(rows, "  "+sk.look.Theme.Bold.Of(s))
		}
	}
	rows = append(rows, sk.detailRows()...)
	if sk.of.form.Warning != "" {
		for _, s := range sk.look.Measure.Wrap("! "+style.Visible(sk.of.form.Warning), sk.look.Width-4) {
			rows = append(rows, "  "+sk.look.Theme.Warn.Of(s))
		}
	}
	return rows
}

// formRows lays out a form in at most limit rows. The selected option is always among them; the rest scrolls.
func (sk sketch) formRows(limit int) (rows []string, cx, cy int) {
	f := sk.of.form
	about := sk.formAbout()
	fixed := 2 + len(about)
	if f.Steps() > 1 {
		fixed++
	}
	v := f.lay(sk.look, sk.of.focus.has(), limit-fixed)
	body := append(about[:len(about):len(about)], v.rows...)
	tail := 1
	if limit < 3 {
		tail = 0
	}
	tabs := 0
	if v.tabs != "" && limit >= 7 {
		tabs = 1
	}
	room := max(1, limit-1-tabs-tail)
	from, to := v.from+len(about), v.to+len(about)
	if f.snap {
		f.top = min(max(f.top, to-room), from)
	}
	if f.Input != nil && f.top == 0 && to > room { // the line being written has to be seen
		f.top = to - room
	}
	f.top = max(0, min(f.top, len(body)-room))
	f.above, f.below = from < f.top, to > f.top+room
	f.seen = from < f.top+room && (!f.above || to-from > room && to > f.top)
	where := ""
	if len(body) > room {
		where = "rows " + human.Number(f.top+1) + " to " + human.Number(min(f.top+room, len(body))) + " of " + human.Number(len(body)) + " · ↑ ↓"
		if sk.look.Width < 60 {
			where = human.Number(min(f.top+room, len(body))) + "/" + human.Number(len(body)) + " ↑ ↓"
		}
	}
	rows = []string{sk.head(where)}
	if tabs > 0 {
		rows = append(rows, v.tabs)
	}
	cx, cy = v.cx, -1
	if v.cy >= 0 {
		cy = len(rows) + v.cy + len(about) - f.top
	}
	for _, h := range v.hits {
		if row := h.row + len(about) - f.top; row >= 0 && row < room {
			sk.of.clicks.hits = append(sk.of.clicks.hits, zone{row: len(rows) + row, x0: h.x0, x1: h.x1, at: h.at})
		}
	}
	rows = append(rows, body[f.top:min(f.top+room, len(body))]...)
	if tail > 0 {
		hint := v.hint
		if sk.of.writing() && !sk.of.writes() {
			hint = "enter write here · " + f.out()
		}
		hint = formHint(sk.look.Measure, hint, sk.look.Width-4)
		rows = append(rows, "  "+sk.look.Theme.Dim.Of(sk.look.Measure.Clip(hint, sk.look.Width-4)))
	}
	return rows, cx, cy
}

// out returns how to leave the form.
func (f *form) out() string {
	if f.Closes() {
		return "esc leave"
	}
	return "esc decline"
}
