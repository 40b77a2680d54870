package ask

import (
	"parley/internal/human"
	"parley/ui/style"
)

// formAbout returns the rows above a step: the whole title where the head cuts it, and the detail.
func (p sketch) formAbout(l *style.Look) (rows []string) {
	if l.Measure.Width(p.q.Title) > (l.Width-4)/2 {
		for _, s := range l.Measure.Wrap(p.q.Title, l.Width-4) {
			rows = append(rows, "  "+l.Theme.Bold.Of(s))
		}
	}
	rows = append(rows, p.detailRows(l)...)
	if p.form.Warning != "" {
		for _, s := range l.Measure.Wrap("! "+style.Visible(p.form.Warning), l.Width-4) {
			rows = append(rows, "  "+l.Theme.Warn.Of(s))
		}
	}
	return rows
}

// formRows lays out a form in at most limit rows. The selected option is always among them; the rest scrolls.
func (p sketch) formRows(l *style.Look, waiting, limit int) (rows []string, cx, cy int) {
	f := p.form
	about := p.formAbout(l)
	fixed := 2 + len(about)
	if f.Steps() > 1 {
		fixed++
	}
	v := f.lay(l, p.focus.has(), limit-fixed)
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
		if l.Width < 60 {
			where = human.Number(min(f.top+room, len(body))) + "/" + human.Number(len(body)) + " ↑ ↓"
		}
	}
	rows = []string{p.head(l, waiting, where)}
	if tabs > 0 {
		rows = append(rows, v.tabs)
	}
	cx, cy = v.cx, -1
	if v.cy >= 0 {
		cy = len(rows) + v.cy + len(about) - f.top
	}
	for _, h := range v.hits {
		if row := h.row + len(about) - f.top; row >= 0 && row < room {
			p.clicks.hits = append(p.clicks.hits, zone{row: len(rows) + row, x0: h.x0, x1: h.x1, at: h.at})
		}
	}
	rows = append(rows, body[f.top:min(f.top+room, len(body))]...)
	if tail > 0 {
		hint := v.hint
		if p.writing() && !p.writes() {
			hint = "enter writes here · " + f.out()
		}
		hint = formHint(l.Measure, hint, l.Width-4)
		rows = append(rows, "  "+l.Theme.Dim.Of(l.Measure.Clip(hint, l.Width-4)))
	}
	return rows, cx, cy
}

// out returns how to leave the form.
func (f *form) out() string {
	if f.Closes() {
		return "esc leaves"
	}
	return "esc declines"
}
