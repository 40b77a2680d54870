package ui

import "strings"

// height is how many rows the prompt would like to have.
func (p *prompt) height(l *look, waiting int) int {
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
func (p *prompt) view(l *look, waiting, limit int) (rows []string, cx, cy int) {
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
func (p *prompt) tail(l *look, cx *int) answerRows {
	th, ms, w := l.theme, l.measure, l.width-4
	switch {
	case p.saying != nil:
		lead := "  tell the agent " + p.why + ": "
		text, at := p.saying.View(ms, max(1, w-ms.width(lead)-2))
		*cx = ms.width(lead) + at
		hint := "enter sends it · esc goes back"
		if !p.writes() {
			hint = "enter writes here · esc goes back"
		}
		return answerRows{rows: []string{th.accent.of(lead) + text, "  " + th.dim.of(hint)}}
	case p.summoned && !p.focus.has():
		hint := strings.TrimPrefix(l.answerKeys()+" decides · ", " decides · ") + "/trust · the chat goes on without it"
		if ms.width(hint) > w {
			hint, _, _ = strings.Cut(hint, " · the chat")
		}
		return answerRows{rows: []string{"  " + th.dim.of(ms.clip(hint, w))}}
	}
	return p.answers(l)
}

// above is everything between the head and the answers, and the row of it that matters most.
func (p *prompt) above(l *look) (rows []string, begin int) {
	rows = p.detailRows(l)
	if p.about != "" {
		for _, s := range l.measure.wrap(p.about, l.width-4) {
			rows = append(rows, "  "+l.theme.dim.of(s))
		}
	}
	begin = len(rows)
	for i, line := range p.body {
		if i == p.first {
			begin = len(rows)
		}
		for _, s := range l.measure.hardwrap(line, max(1, l.width-8)) {
			rows = append(rows, "    "+s)
		}
	}
	return rows, begin
}

// allAbove adds what the head and short answers leave out, for a prompt that scrolls: a long title and the rule that an
// answer saves.
func (p *prompt) allAbove(l *look, above []string, begin int, short bool) (rows []string, from int) {
	if l.measure.width(p.title) > (l.width-4)/2 {
		for _, s := range l.measure.wrap(p.title, l.width-4) {
			rows = append(rows, "  "+l.theme.bold.of(s))
		}
	}
	from = begin + len(rows)
	rows = append(rows, above...)
	for _, c := range p.choices {
		if !short || c.answer.Rule == nil {
			continue
		}
		for _, s := range l.measure.wrap(c.key+" "+c.label, l.width-8) {
			rows = append(rows, "    "+l.theme.dim.of(s))
		}
	}
	return rows, from
}

// window is the part of some rows that is shown, and which part it is.
func (p *prompt) window(l *look, all []string, begin, limit int) (rows []string, where string) {
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
	where = "rows " + group(from+1) + " to " + group(to) + " of " + group(len(all)) + " · ↑ ↓ scroll"
	if l.width < 60 {
		where = group(to) + "/" + group(len(all)) + " ↑ ↓"
	}
	return all[from:min(to, from+limit)], where
}

// headRows is the title in full, and what else the head says.
func (p *prompt) headRows(l *look, waiting int) []string {
	th, ms, w := l.theme, l.measure, l.width-4
	_, right := p.beside(l, waiting, "")
	titles := ms.wrap(p.title, w)
	if ms.width(p.title)+1+ms.width(right) <= w {
		return []string{p.head(l, waiting, "")}
	}
	style := th.bold
	if !p.focus.has() {
		style = th.dim
	}
	var rows []string
	for _, s := range titles {
		rows = append(rows, "  "+style.of(s))
	}
	last := titles[len(titles)-1]
	if ms.width(last)+1+ms.width(right) <= w {
		rows[len(rows)-1] = "  " + ms.spread(style.of(last), th.dim.of(right), w)
	} else {
		rows = append(rows, "  "+ms.spread("", th.dim.of(ms.clip(right, w)), w))
	}
	return rows
}

// beside is what the head says beside the title: how many wait, which part is shown, and which key gives the keyboard to a
// question that does not have it.
func (p *prompt) beside(l *look, waiting int, where string) (style, string) {
	var parts []string
	if waiting > 1 {
		parts = append(parts, "1 of "+group(waiting)+" waiting")
	}
	if where != "" {
		parts = append(parts, where)
	}
	if keys := l.answerKeys(); !p.summoned && !p.focus.has() && keys != "" {
		parts = append(parts, keys+" to answer")
	}
	st := l.theme.dim
	if where != "" {
		st = l.theme.warn
	}
	return st, strings.Join(parts, " · ")
}

// head is the first row, where everything has to fit into one.
func (p *prompt) head(l *look, waiting int, where string) string {
	th, ms, w := l.theme, l.measure, l.width-4
	st, right := p.beside(l, waiting, where)
	right = ms.clip(right, w-1)
	title := th.bold
	if !p.focus.has() {
		title = th.dim
	}
	return "  " + ms.spread(title.of(ms.clip(p.title, w-ms.width(right)-1)), st.of(right), w)
}

func (p *prompt) detailRows(l *look) []string {
	if p.detail == "" {
		return nil
	}
	var rows []string
	for _, s := range l.measure.wrap(p.detail, l.width-4) {
		rows = append(rows, "  "+l.theme.dim.of(s))
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
func (a *answerRows) answer(p *prompt, l *look, i int, label string) {
	lead, st := p.mark(l, i)
	in := l.measure.width(lead) + 2
	for n, s := range l.measure.wrap(label, max(1, l.width-4-in)) {
		if n > 0 {
			lead = strings.Repeat(" ", in-2)
		}
		a.hits = append(a.hits, zone{row: len(a.rows), x0: 2, x1: l.width, at: i, of: p})
		a.rows = append(a.rows, "  "+st.of(lead+s))
	}
}

// mark is what stands before an answer, and how the answer looks.
func (p *prompt) mark(l *look, i int) (string, style) {
	switch {
	case !p.focus.has():
		return "  " + p.choices[i].key + " ", l.theme.dim
	case i == p.at:
		return "❯ " + p.choices[i].key + " ", l.theme.chosen
	}
	return "  " + p.choices[i].key + " ", ""
}

// behind puts an answer behind those of the last row.
func (a *answerRows) behind(p *prompt, l *look, i int, label, gap string) {
	lead, st := p.mark(l, i)
	at := 2
	if len(a.rows) == 0 {
		a.rows = []string{"  "}
	} else {
		last := a.rows[len(a.rows)-1]
		if at = l.measure.width(last); at > 2 {
			a.rows[len(a.rows)-1] += gap
			at += l.measure.width(gap)
		}
	}
	text := lead + label
	a.hits = append(a.hits, zone{row: len(a.rows) - 1, x0: at, x1: at + l.measure.width(text), at: i, of: p})
	a.rows[len(a.rows)-1] += st.of(text)
}

// answers are the choices with all their words: in a row, or below each other where a row is too narrow.
func (p *prompt) answers(l *look) answerRows {
	var a answerRows
	wide := 0
	for i, c := range p.choices {
		lead, _ := p.mark(l, i)
		wide += l.measure.width(lead+c.label) + 2
	}
	if wide > l.width-4 && len(p.choices) > mostStacked {
		return p.shortAnswers(l, mostStacked)
	}
	for i, c := range p.choices {
		if wide <= l.width-4 {
			a.behind(p, l, i, c.label, "  ")
		} else {
			a.answer(p, l, i, c.label)
		}
	}
	return a
}

// shortAnswers are the choices with short labels, in as few rows as hold them, with the words of the selected one below if
// so many rows leave room for them.
func (p *prompt) shortAnswers(l *look, limit int) answerRows {
	var a answerRows
	for i, c := range p.choices {
		lead, _ := p.mark(l, i)
		if n := len(a.rows); n > 0 && n+1 < limit && l.measure.width(a.rows[n-1])+1+l.measure.width(lead+c.short) > l.width-2 {
			a.rows = append(a.rows, "  ")
		}
		a.behind(p, l, i, c.short, " ")
	}
	for i := range a.rows {
		a.rows[i] = l.measure.clip(a.rows[i], l.width)
	}
	if p.focus.has() {
		if words := l.measure.wrap(p.choices[p.at].label, l.width-6); len(a.rows)+len(words) <= limit {
			for _, s := range words {
				a.rows = append(a.rows, "    "+l.theme.dim.of(s))
			}
		}
	}
	return a
}
