package ask

import (
	"strings"

	"parley/internal/human"
	"parley/ui/style"
)

// Want returns how many rows the question needs at a width, at most so many; 0 without one.
func (m *Model) Want(width, most int) int {
	if m.cur == nil {
		return 0
	}
	return min(sketch{m.cur}.height(m.look(width), m.waiting), most)
}

// Rows returns the question at a width in at most height rows, of which it needs three, and the cell of the cursor among
// them, -1, -1 unless text is written there.
func (m *Model) Rows(width, height int) (rows []string, x, y int) {
	m.laid = 0
	if m.cur == nil {
		return nil, -1, -1
	}
	rows, x, y = sketch{m.cur}.view(m.look(width), m.waiting, height)
	rows = rows[:min(len(rows), height)]
	m.laid = len(rows)
	if !m.cur.writes() {
		return rows, -1, -1
	}
	return rows, x, y
}

// look returns what layouts depend on, at a width.
func (m *Model) look(width int) *style.Look {
	if m.o.Look.Width == width {
		return m.o.Look
	}
	l := *m.o.Look
	l.Width = width
	return &l
}

// sketch draws a prompt.
type sketch struct{ *prompt }

// height returns how many rows the question needs.
func (p sketch) height(l *style.Look, waiting int) int {
	if p.editing() {
		return p.editorWants(l)
	}
	if p.form != nil && p.reason == nil {
		v := p.form.lay(l, p.focus.has(), 1<<20)
		n := 2 + len(p.formAbout(l)) + len(v.rows)
		if v.tabs != "" {
			n++
		}
		return max(n, 3)
	}
	rows, _, _ := p.view(l, waiting, 1<<20)
	return len(rows)
}

// view lays the question out in at most limit rows, of which it needs three. The answers are always among them; what does
// not fit above them scrolls. The cursor is -1, -1 unless text is being written.
func (p sketch) view(l *style.Look, waiting, limit int) (rows []string, cx, cy int) {
	p.clicks.hits = p.clicks.hits[:0]
	if p.aside() {
		limit = min(limit, asideRows)
	}
	if p.editing() {
		return p.editorRows(l, limit)
	}
	if p.form != nil && p.reason == nil {
		return p.formRows(l, waiting, limit)
	}
	cx, cy = -1, -1
	above, begin := p.above(l)
	tail := p.tail(l, &cx)
	head := p.headRows(l, waiting)
	if p.q.Permission != nil && l.Height >= airy && len(above) > 0 && len(head)+len(above)+1+len(tail.rows) <= limit {
		above = append(above, "")
	}
	if help := p.explanation(l); len(head)+len(above)+len(tail.rows)+len(help) <= limit {
		tail.rows = append(tail.rows, help...)
	}
	if len(head)+len(above)+len(tail.rows) > limit {
		if short := len(tail.rows) > limit-1-min(2, len(above)); short && p.line() == nil {
			tail = p.shortAnswers(l, limit-1-min(1, len(above)))
			above = append(above, p.ruleRows(l).rows...) // the rule scrolls too
			if row := p.rulesRow(l); row != "" && limit-2-len(tail.rows) > 0 {
				cut := answerRows{rows: []string{row}}
				cut.add(tail)
				tail = cut
			}
		}
		if !p.aside() {
			above, begin = p.allAbove(l, above, begin)
		}
		shown, where := p.window(l, above, begin, max(0, limit-1-len(tail.rows)))
		head, above = []string{p.head(l, waiting, where)}, shown
	} else {
		p.scroll.rows, p.scroll.fits = len(above), len(above)
	}
	p.hitHead(l, head)
	rows = append(head, above...)
	if cx >= 0 {
		cy = len(rows)
	}
	for _, h := range tail.hits {
		h.row += len(rows)
		p.clicks.hits = append(p.clicks.hits, h)
	}
	return append(rows, tail.rows...), cx, cy
}

// asideRows bounds a question beside which the chat goes on: the head, four rows of what it is about, and the way to it.
const asideRows = 6

// aside reports whether the chat goes on beside the question until it is called.
func (p sketch) aside() bool { return p.q.Summoned && !p.focus.has() }

// airy is the height of a window with room for an empty row between what is asked about and the answers.
const airy = 30

// tail returns the rows below the subject: the answers, the text being written, or how to call the question.
func (p sketch) tail(l *style.Look, cx *int) answerRows {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	switch {
	case p.rule.text != nil:
		return p.ruleTail(l, cx)
	case p.reason != nil:
		lead := "  tell the agent " + p.q.Choices[p.q.At].Why + ": "
		text, at := p.reason.View(ms, max(1, w-ms.Width(lead)-2))
		*cx = ms.Width(lead) + at
		hint := "enter sends it · esc goes back"
		if !p.writes() {
			hint = "enter writes here · esc goes back"
		}
		return answerRows{rows: []string{th.Accent.Of(lead) + text, "  " + th.Dim.Of(hint)}}
	case p.aside():
		hint := strings.TrimPrefix(l.AnswerKeys()+" decides · ", " decides · ") + "/trust · the chat goes on without it"
		if ms.Width(hint) > w {
			hint, _, _ = strings.Cut(hint, " · the chat")
		}
		return answerRows{rows: []string{"  " + th.Dim.Of(ms.Clip(hint, w))}}
	}
	a := p.ruleRows(l)
	a.add(p.answers(l))
	return a
}

// above returns the rows between the head and the answers, and the index of the one that matters most.
func (p sketch) above(l *style.Look) (rows []string, begin int) {
	rows = p.detailRows(l)
	if p.q.About != "" {
		for _, s := range l.Measure.Wrap(p.q.About, l.Width-4) {
			rows = append(rows, "  "+l.Theme.Dim.Of(s))
		}
	}
	begin = len(rows)
	if p.changed() {
		return append(rows, p.changeRows(l)...), begin + p.editor.diff.first
	}
	for i, line := range p.q.Body {
		if i == p.q.First {
			begin = len(rows)
		}
		rows = append(rows, p.bodyRows(l, i, line)...)
	}
	return append(rows, p.partRows(l)...), begin
}

// allAbove adds what the head of a question that scrolls leaves out: a long title.
func (p sketch) allAbove(l *style.Look, above []string, begin int) (rows []string, from int) {
	if l.Measure.Width(p.q.Title) > (l.Width-4)/2 && !p.changed() {
		for _, s := range l.Measure.Wrap(p.q.Title, l.Width-4) {
			rows = append(rows, "  "+l.Theme.Bold.Of(s))
		}
	}
	return append(rows, above...), begin + len(rows)
}

// window returns the rows that are shown, and a text that says which part of all they are.
func (p sketch) window(l *style.Look, all []string, begin, limit int) (rows []string, where string) {
	p.scroll.rows, p.scroll.fits = len(all), len(all)
	if len(all) <= limit {
		return all, ""
	}
	p.scroll.fits = max(1, limit)
	if !p.scroll.moved {
		if p.scroll.top = begin; len(p.q.Body) == 0 && !p.changed() || limit >= begin+3 || p.aside() {
			p.scroll.top = 0 // there is room for what stands before it
		}
	}
	p.scroll.top = max(0, min(p.scroll.top, len(all)-p.scroll.fits))
	from, to := p.scroll.top, min(p.scroll.top+p.scroll.fits, len(all))
	where = "rows " + human.Number(from+1) + " to " + human.Number(to) + " of " + human.Number(len(all)) + " · ↑ ↓ scroll"
	if p.aside() { // nothing scrolls before it is called
		where = human.Number(len(all)-limit) + " more"
	} else if l.Width < 60 {
		where = human.Number(to) + "/" + human.Number(len(all)) + " ↑ ↓"
	}
	return all[from:min(to, from+limit)], where
}

// headRows returns the title in full, with the rest of the head.
func (p sketch) headRows(l *style.Look, waiting int) []string {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	_, right := p.beside(l, waiting, "")
	titles := ms.Wrap(p.q.Title, w)
	if ms.Width(p.q.Title)+1+ms.Width(right) <= w {
		return []string{p.head(l, waiting, "")}
	}
	title := th.Bold
	if !p.focus.has() {
		title = th.Dim
	}
	var rows []string
	for _, s := range titles {
		rows = append(rows, "  "+title.Of(s))
	}
	last := titles[len(titles)-1]
	if ms.Width(last)+1+ms.Width(right) <= w {
		rows[len(rows)-1] = "  " + ms.Spread(title.Of(last), th.Dim.Of(right), w)
	} else {
		rows = append(rows, "  "+ms.Spread("", th.Dim.Of(ms.Clip(right, w)), w))
	}
	return rows
}

// beside returns the text beside the title: how many asks are open, which rows are shown, and which key gives the keyboard to
// a question that does not have it.
func (p sketch) beside(l *style.Look, waiting int, where string) (style.Style, string) {
	var parts []string
	if text := p.waits(waiting); text != "" {
		parts = append(parts, text)
	}
	if where != "" {
		parts = append(parts, where)
	}
	if keys := l.AnswerKeys(); !p.q.Summoned && !p.focus.has() && keys != "" {
		parts = append(parts, keys+" to answer")
	}
	st := l.Theme.Dim
	if where != "" {
		st = l.Theme.Warn
	}
	return st, strings.Join(parts, " · ")
}

// head returns title and text beside it cut to one row.
func (p sketch) head(l *style.Look, waiting int, where string) string {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	st, right := p.beside(l, waiting, where)
	right = ms.Clip(right, w-1)
	title := th.Bold
	if !p.focus.has() {
		title = th.Dim
	}
	return "  " + ms.Spread(title.Of(ms.Clip(p.q.Title, w-ms.Width(right)-1)), st.Of(right), w)
}

func (p sketch) detailRows(l *style.Look) []string {
	if p.q.Detail == "" {
		return nil
	}
	var rows []string
	for _, s := range l.Measure.Wrap(p.q.Detail, l.Width-4) {
		rows = append(rows, "  "+l.Theme.Dim.Of(s))
	}
	return rows
}
