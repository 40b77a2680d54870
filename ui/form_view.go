package ui

import (
	"slices"
	"strings"

	"parley/ui/style"
)

// formRows is a step of a form, laid out.
type formRows struct {
	tabs string   // which step it is; empty if there is only one
	rows []string // the question and what it can be answered with
	// from and to bound the rows that have to be on the screen for an answer: the selected option, the line being written.
	from, to int
	cx, cy   int // the cursor among the rows, -1, -1 for none
	hint     string
	hits     []zone // the options, by the rows
}

// lay lays out the step that is shown.
func (f *form) lay(l *style.Look, focused bool) formRows {
	v := formRows{cx: -1, cy: -1}
	if len(f.fields) == 0 {
		v.hint = "esc declines"
		return v
	}
	if f.steps() > 1 {
		v.tabs = f.tabs(l)
	}
	if f.reviewing() {
		f.layReview(l, &v)
	} else {
		f.layField(l, &v, focused)
	}
	if f.trouble != "" {
		v.rows = append(v.rows, "  "+l.Theme.Warn.Of("! "+style.Visible(f.trouble)))
		v.to = len(v.rows)
	}
	return v
}

// tabs is the row that says which questions there are, which of them are answered, and which is shown.
func (f *form) tabs(l *style.Look) string {
	var full, short []string
	for i := range f.steps() {
		name, mark := "review", ""
		if i < len(f.fields) {
			fd := &f.fields[i]
			if name = style.Visible(style.OneLine(fd.tab)); name == "" {
				name = style.Visible(style.OneLine(fd.text))
			}
			if len(fd.answer()) > 0 {
				mark = " ✓"
			}
			name = style.Group(i+1) + " " + l.Measure.Clip(name, 16)
		}
		st := l.Theme.Dim
		if i == f.at {
			st = l.Theme.Chosen
			short = append(short, st.Of(name+mark))
		} else if i < len(f.fields) {
			short = append(short, st.Of(style.Group(i+1)+mark))
		}
		full = append(full, st.Of(name+mark))
	}
	sep := l.Theme.Dim.Of(" · ")
	if row := strings.Join(full, sep); l.Measure.Width(row) <= l.Width-4 {
		return "  " + row
	}
	return "  " + l.Measure.Clip(strings.Join(short, sep), l.Width-4)
}

// layField lays a question out with what it can be answered with.
func (f *form) layField(l *style.Look, v *formRows, focused bool) {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	fd := &f.fields[f.at]
	if fd.text != "" {
		for _, s := range ms.Wrap(style.Visible(fd.text), w) {
			v.rows = append(v.rows, "  "+s)
		}
	}
	if fd.note != "" {
		for _, s := range ms.Wrap(style.Visible(fd.note), w) {
			v.rows = append(v.rows, "  "+th.Dim.Of(s))
		}
	}
	wide := 0
	for _, o := range fd.options {
		wide = max(wide, ms.Width(style.Visible(style.OneLine(o.Label))))
	}
	for i := range fd.rows() {
		from := len(v.rows)
		f.layOption(l, v, i, min(wide, w/2), focused)
		for row := from; row < len(v.rows); row++ {
			v.hits = append(v.hits, zone{row: row, x0: 2, x1: l.Width, at: i})
		}
		if i == f.sel {
			v.from, v.to = from, len(v.rows)
		}
	}
	if f.input != nil {
		lead := "  > "
		if len(fd.options) > 0 {
			lead = "      > "
		}
		text, at := f.input.View(ms, w-ms.Width(lead))
		v.cx, v.cy = ms.Width(lead)+at, len(v.rows)
		v.from, v.to = len(v.rows), len(v.rows)+1
		v.rows = append(v.rows, th.Accent.Of(lead)+text)
	}
	v.hint = f.hint(fd)
}

// layOption lays out an option: its words in full, and what they mean beside them or, where that is too long, below.
func (f *form) layOption(l *style.Look, v *formRows, i, wide int, focused bool) {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	fd := &f.fields[f.at]
	label, about, picked := freeLabel, "", fd.own != ""
	if i < len(fd.options) {
		o := fd.options[i]
		label, about = style.Visible(style.OneLine(o.Label)), style.Visible(style.OneLine(o.Description))
		picked = slices.Contains(fd.chosen, fd.value(i))
	} else if fd.own != "" {
		label = style.Visible(style.OneLine(fd.own))
	}
	lead, st := "  ", style.Style("")
	if i == f.sel && focused && f.input == nil {
		lead, st = "❯ ", th.Chosen
	}
	lead += style.Group(i+1) + " "
	switch {
	case fd.multi && picked:
		lead += "[x] "
	case fd.multi:
		lead += "[ ] "
	}
	if !fd.multi && picked {
		label += " ✓"
	}
	in := ms.Width(lead)
	blank := strings.Repeat(" ", in)
	rest := w - in - wide - 2
	if ms.Width(label) <= wide && ms.Width(about) <= rest {
		v.rows = append(v.rows, strings.TrimRight("  "+st.Of(lead+ms.Pad(label, wide))+"  "+th.Dim.Of(about), " "))
		return
	}
	for n, s := range ms.Wrap(label, w-in) {
		if n > 0 {
			lead = blank
		}
		v.rows = append(v.rows, "  "+st.Of(lead+s))
	}
	if about == "" {
		return
	}
	for _, s := range ms.Wrap(about, w-in-2) {
		v.rows = append(v.rows, "  "+blank+"  "+th.Dim.Of(s))
	}
}

// layReview shows every question with its answer.
func (f *form) layReview(l *style.Look, v *formRows) {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	for i := range f.fields {
		fd := &f.fields[i]
		for n, s := range ms.Wrap(style.Visible(style.OneLine(fd.text)), w-3) {
			lead := "   "
			if n == 0 {
				lead = ms.Pad(style.Group(i+1), 3)
			}
			v.rows = append(v.rows, "  "+th.Dim.Of(lead+s))
		}
		said, st := fd.said(), style.Style("")
		if said == "" {
			said, st = "not answered", th.Warn
		}
		for _, s := range ms.Wrap(said, w-5) {
			v.rows = append(v.rows, "       "+st.Of(s))
		}
	}
	v.hint = "enter sends the answers · 1 to " + style.Group(min(9, len(f.fields))) + " changes one · esc goes back"
}

// hint says which keys work in the step.
func (f *form) hint(fd *field) string {
	var parts []string
	if fd.multi && f.input == nil {
		parts = append(parts, "space picks several")
	}
	if f.steps() > 1 {
		parts = append(parts, "enter goes on", "tab next")
	} else {
		parts = append(parts, "enter answers")
	}
	switch {
	case f.input == nil:
		parts = append(parts, "esc declines", "m says why")
	case len(fd.options) > 0:
		parts = append(parts, "esc goes back")
	default:
		parts = append(parts, "esc declines")
	}
	return strings.Join(parts, " · ")
}

// formAbout is what stands above a step: the whole title where the head cuts it, and what the form is about.
func (p *prompt) formAbout(l *style.Look) (rows []string) {
	if l.Measure.Width(p.title) > (l.Width-4)/2 {
		for _, s := range l.Measure.Wrap(p.title, l.Width-4) {
			rows = append(rows, "  "+l.Theme.Bold.Of(s))
		}
	}
	return append(rows, p.detailRows(l)...)
}

// formRows lays a form out in at most limit rows. What answers is always among them; the rest scrolls.
func (p *prompt) formRows(l *style.Look, waiting, limit int) (rows []string, cx, cy int) {
	f := p.form
	v := f.lay(l, p.focus.has())
	about := p.formAbout(l)
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
	if f.input != nil && f.top == 0 && to > room { // the line being written has to be seen
		f.top = to - room
	}
	f.top = max(0, min(f.top, len(body)-room))
	f.above, f.below = from < f.top, to > f.top+room
	f.seen = from < f.top+room && (!f.above || to-from > room && to > f.top)
	where := ""
	if len(body) > room {
		where = "rows " + style.Group(f.top+1) + " to " + style.Group(min(f.top+room, len(body))) + " of " + style.Group(len(body)) + " · ↑ ↓"
		if l.Width < 60 {
			where = style.Group(min(f.top+room, len(body))) + "/" + style.Group(len(body)) + " ↑ ↓"
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
			p.hits = append(p.hits, zone{row: len(rows) + row, x0: h.x0, x1: h.x1, at: h.at, of: p})
		}
	}
	rows = append(rows, body[f.top:min(f.top+room, len(body))]...)
	if tail > 0 {
		hint := v.hint
		if p.writing() && !p.writes() {
			hint = "enter writes here · esc declines"
		}
		rows = append(rows, "  "+l.Theme.Dim.Of(l.Measure.Clip(hint, l.Width-4)))
	}
	return rows, cx, cy
}
