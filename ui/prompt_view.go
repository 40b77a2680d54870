package ui

import (
	"strings"

	"parley/ui/style"
)

// height is how many rows the prompt would like to have.
func (p *prompt) height(l *style.Look, waiting int) int {
	if p.form != nil && p.saying == nil {
		v := p.form.lay(l, p.focus.has())
		n := 2 + len(p.formAbout(l)) + len(v.rows)
		if v.tabs != "" {
			n++
		}
		return max(n, 3)
	}
	rows, _, _ := p.view(l, waiting, 1<<20)
	return len(rows)
}

// view lays the prompt out in at most limit rows, of which it needs three. What answers is always among them; what does not
// fit above it scrolls. The cursor is -1, -1 unless words are being written.
func (p *prompt) view(l *style.Look, waiting, limit int) (rows []string, cx, cy int) {
	p.hits = p.hits[:0]
	if p.form != nil && p.saying == nil {
		return p.formRows(l, waiting, limit)
	}
	cx, cy = -1, -1
	above, begin := p.above(l)
	tail := p.tail(l, &cx)
	head := p.headRows(l, waiting)
	if len(head)+len(above)+len(tail.rows) > limit {
		short := len(tail.rows) > limit-1-min(2, len(above))
		if short {
			tail = p.shortAnswers(l, limit-1-min(1, len(above)))
		}
		above, begin = p.allAbove(l, above, begin, short)
		shown, where := p.window(l, above, begin, max(0, limit-1-len(tail.rows)))
		head, above = []string{p.head(l, waiting, where)}, shown
	} else {
		p.rows, p.fits = len(above), len(above)
	}
	rows = append(head, above...)
	if cx >= 0 {
		cy = len(rows)
	}
	for _, h := range tail.hits {
		h.row += len(rows)
		p.hits = append(p.hits, h)
	}
	return append(rows, tail.rows...), cx, cy
}

// tail is what stands below what is asked about: the answers, the words being written, or how to call the question.
func (p *prompt) tail(l *style.Look, cx *int) answerRows {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	switch {
	case p.saying != nil:
		lead := "  tell the agent " + p.why + ": "
		text, at := p.saying.View(ms, max(1, w-ms.Width(lead)-2))
		*cx = ms.Width(lead) + at
		hint := "enter sends it · esc goes back"
		if !p.writes() {
			hint = "enter writes here · esc goes back"
		}
		return answerRows{rows: []string{th.Accent.Of(lead) + text, "  " + th.Dim.Of(hint)}}
	case p.summoned && !p.focus.has():
		hint := strings.TrimPrefix(l.AnswerKeys()+" decides · ", " decides · ") + "/trust · the chat goes on without it"
		if ms.Width(hint) > w {
			hint, _, _ = strings.Cut(hint, " · the chat")
		}
		return answerRows{rows: []string{"  " + th.Dim.Of(ms.Clip(hint, w))}}
	}
	return p.answers(l)
}

// above is everything between the head and the answers, and the row of it that matters most.
func (p *prompt) above(l *style.Look) (rows []string, begin int) {
	rows = p.detailRows(l)
	if p.about != "" {
		for _, s := range l.Measure.Wrap(p.about, l.Width-4) {
			rows = append(rows, "  "+l.Theme.Dim.Of(s))
		}
	}
	begin = len(rows)
	for i, line := range p.body {
		if i == p.first {
			begin = len(rows)
		}
		for _, s := range l.Measure.Hardwrap(line, max(1, l.Width-8)) {
			rows = append(rows, "    "+s)
		}
	}
	return rows, begin
}

// allAbove adds what the head and short answers leave out, for a prompt that scrolls: a long title and the rule that an
// answer saves.
func (p *prompt) allAbove(l *style.Look, above []string, begin int, short bool) (rows []string, from int) {
	if l.Measure.Width(p.title) > (l.Width-4)/2 {
		for _, s := range l.Measure.Wrap(p.title, l.Width-4) {
			rows = append(rows, "  "+l.Theme.Bold.Of(s))
		}
	}
	from = begin + len(rows)
	rows = append(rows, above...)
	for _, c := range p.choices {
		if !short || c.answer.Rule == nil {
			continue
		}
		for _, s := range l.Measure.Wrap(c.key+" "+c.label, l.Width-8) {
			rows = append(rows, "    "+l.Theme.Dim.Of(s))
		}
	}
	return rows, from
}

// window is the part of some rows that is shown, and which part it is.
func (p *prompt) window(l *style.Look, all []string, begin, limit int) (rows []string, where string) {
	p.rows, p.fits = len(all), len(all)
	if len(all) <= limit {
		return all, ""
	}
	p.fits = max(1, limit)
	if !p.moved {
		if p.scroll = begin; len(p.body) == 0 || limit >= begin+3 {
			p.scroll = 0 // there is room for what stands before it
		}
	}
	p.scroll = max(0, min(p.scroll, len(all)-p.fits))
	from, to := p.scroll, min(p.scroll+p.fits, len(all))
	where = "rows " + style.Group(from+1) + " to " + style.Group(to) + " of " + style.Group(len(all)) + " · ↑ ↓ scroll"
	if l.Width < 60 {
		where = style.Group(to) + "/" + style.Group(len(all)) + " ↑ ↓"
	}
	return all[from:min(to, from+limit)], where
}

// headRows is the title in full, and what else the head says.
func (p *prompt) headRows(l *style.Look, waiting int) []string {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	_, right := p.beside(l, waiting, "")
	titles := ms.Wrap(p.title, w)
	if ms.Width(p.title)+1+ms.Width(right) <= w {
		return []string{p.head(l, waiting, "")}
	}
	style := th.Bold
	if !p.focus.has() {
		style = th.Dim
	}
	var rows []string
	for _, s := range titles {
		rows = append(rows, "  "+style.Of(s))
	}
	last := titles[len(titles)-1]
	if ms.Width(last)+1+ms.Width(right) <= w {
		rows[len(rows)-1] = "  " + ms.Spread(style.Of(last), th.Dim.Of(right), w)
	} else {
		rows = append(rows, "  "+ms.Spread("", th.Dim.Of(ms.Clip(right, w)), w))
	}
	return rows
}

// beside is what the head says beside the title: how many wait, which part is shown, and which key gives the keyboard to a
// question that does not have it.
func (p *prompt) beside(l *style.Look, waiting int, where string) (style.Style, string) {
	var parts []string
	if waiting > 1 {
		parts = append(parts, "1 of "+style.Group(waiting)+" waiting")
	}
	if where != "" {
		parts = append(parts, where)
	}
	if keys := l.AnswerKeys(); !p.summoned && !p.focus.has() && keys != "" {
		parts = append(parts, keys+" to answer")
	}
	st := l.Theme.Dim
	if where != "" {
		st = l.Theme.Warn
	}
	return st, strings.Join(parts, " · ")
}

// head is the first row, where everything has to fit into one.
func (p *prompt) head(l *style.Look, waiting int, where string) string {
	th, ms, w := l.Theme, l.Measure, l.Width-4
	st, right := p.beside(l, waiting, where)
	right = ms.Clip(right, w-1)
	title := th.Bold
	if !p.focus.has() {
		title = th.Dim
	}
	return "  " + ms.Spread(title.Of(ms.Clip(p.title, w-ms.Width(right)-1)), st.Of(right), w)
}

func (p *prompt) detailRows(l *style.Look) []string {
	if p.detail == "" {
		return nil
	}
	var rows []string
	for _, s := range l.Measure.Wrap(p.detail, l.Width-4) {
		rows = append(rows, "  "+l.Theme.Dim.Of(s))
	}
	return rows
}

// mostStacked is how many choices may stand below each other: more of them leave too little of what they are about.
const mostStacked = 4

// answerRows are the rows of the answers, and where in them each stands.
type answerRows struct {
	rows []string
	hits []zone
}

// answer adds an answer that begins a row, its label wrapped.
func (a *answerRows) answer(p *prompt, l *style.Look, i int, label string) {
	lead, st := p.mark(l, i)
	in := l.Measure.Width(lead) + 2
	for n, s := range l.Measure.Wrap(label, max(1, l.Width-4-in)) {
		if n > 0 {
			lead = strings.Repeat(" ", in-2)
		}
		a.hits = append(a.hits, zone{row: len(a.rows), x0: 2, x1: l.Width, at: i, of: p})
		a.rows = append(a.rows, "  "+st.Of(lead+s))
	}
}

// mark is what stands before an answer, and how the answer looks.
func (p *prompt) mark(l *style.Look, i int) (string, style.Style) {
	switch {
	case !p.focus.has():
		return "  " + p.choices[i].key + " ", l.Theme.Dim
	case i == p.at:
		return "❯ " + p.choices[i].key + " ", l.Theme.Chosen
	}
	return "  " + p.choices[i].key + " ", ""
}

// behind puts an answer behind those of the last row.
func (a *answerRows) behind(p *prompt, l *style.Look, i int, label, gap string) {
	lead, st := p.mark(l, i)
	at := 2
	if len(a.rows) == 0 {
		a.rows = []string{"  "}
	} else {
		last := a.rows[len(a.rows)-1]
		if at = l.Measure.Width(last); at > 2 {
			a.rows[len(a.rows)-1] += gap
			at += l.Measure.Width(gap)
		}
	}
	text := lead + label
	a.hits = append(a.hits, zone{row: len(a.rows) - 1, x0: at, x1: at + l.Measure.Width(text), at: i, of: p})
	a.rows[len(a.rows)-1] += st.Of(text)
}

// answers are the choices with all their words: in a row, or below each other where a row is too narrow.
func (p *prompt) answers(l *style.Look) answerRows {
	var a answerRows
	wide := 0
	for i, c := range p.choices {
		lead, _ := p.mark(l, i)
		wide += l.Measure.Width(lead+c.label) + 2
	}
	if wide > l.Width-4 && len(p.choices) > mostStacked {
		return p.shortAnswers(l, mostStacked)
	}
	for i, c := range p.choices {
		if wide <= l.Width-4 {
			a.behind(p, l, i, c.label, "  ")
		} else {
			a.answer(p, l, i, c.label)
		}
	}
	return a
}

// shortAnswers are the choices with short labels, in as few rows as hold them, with the words of the selected one below if
// so many rows leave room for them.
func (p *prompt) shortAnswers(l *style.Look, limit int) answerRows {
	var a answerRows
	for i, c := range p.choices {
		lead, _ := p.mark(l, i)
		if n := len(a.rows); n > 0 && n+1 < limit && l.Measure.Width(a.rows[n-1])+1+l.Measure.Width(lead+c.short) > l.Width-2 {
			a.rows = append(a.rows, "  ")
		}
		a.behind(p, l, i, c.short, " ")
	}
	for i := range a.rows {
		a.rows[i] = l.Measure.Clip(a.rows[i], l.Width)
	}
	if p.focus.has() {
		if words := l.Measure.Wrap(p.choices[p.at].label, l.Width-6); len(a.rows)+len(words) <= limit {
			for _, s := range words {
				a.rows = append(a.rows, "    "+l.Theme.Dim.Of(s))
			}
		}
	}
	return a
}
