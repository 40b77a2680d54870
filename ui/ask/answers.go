package ask

import (
	"strings"

	"parley/ui/style"
)

// mostStacked is how many choices may stand below each other: more leave too little room for the subject.
const mostStacked = 4

// answerRows are the rows of the answers, with the zone of each.
type answerRows struct {
	rows []string
	hits []zone
}

// add adds further rows with their zones.
func (a *answerRows) add(b answerRows) {
	for _, h := range b.hits {
		h.row += len(a.rows)
		a.hits = append(a.hits, h)
	}
	a.rows = append(a.rows, b.rows...)
}

// answer adds an answer on rows of its own, its label wrapped.
func (a *answerRows) answer(p sketch, l *style.Look, i int, label string) {
	lead, st := p.mark(l, i)
	in := l.Measure.Width(lead) + 2
	for n, s := range l.Measure.Wrap(label, max(1, l.Width-4-in)) {
		row := p.colored(l, i, st, s)
		if n > 0 {
			row = strings.Repeat(" ", in-2) + st.Of(s)
		}
		a.hits = append(a.hits, zone{row: len(a.rows), x0: 2, x1: l.Width, at: i})
		a.rows = append(a.rows, "  "+row)
	}
}

// mark returns the text before an answer, and the style of the answer.
func (p sketch) mark(l *style.Look, i int) (string, style.Style) {
	switch {
	case !p.focus.has():
		return "  " + p.q.Choices[i].Key + " ", l.Theme.Dim
	case i == p.q.At:
		return "❯ " + p.q.Choices[i].Key + " ", l.Theme.Chosen
	}
	return "  " + p.q.Choices[i].Key + " ", ""
}

// colored returns an answer with its mark and key. A key that works now stands out from its label.
func (p sketch) colored(l *style.Look, i int, st style.Style, label string) string {
	lead, _ := p.mark(l, i)
	if st != "" || !p.focus.has() {
		return st.Of(lead + label)
	}
	return l.Theme.Accent.Of(lead) + label
}

// behind adds an answer at the end of the last row.
func (a *answerRows) behind(p sketch, l *style.Look, i int, label, gap string) {
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
	a.hits = append(a.hits, zone{row: len(a.rows) - 1, x0: at, x1: at + l.Measure.Width(lead+label), at: i})
	a.rows[len(a.rows)-1] += p.colored(l, i, st, label)
}

// answers returns the choices with their full labels: in a row, in a row of those that allow and one of those that refuse, or
// below each other where a row is too narrow.
func (p sketch) answers(l *style.Look) answerRows {
	var a answerRows
	wide, widest, breaks, n := 0, 0, false, 0
	group := 0
	for i, c := range p.q.Choices {
		if c.Apart() {
			continue
		}
		n++
		lead, _ := p.mark(l, i)
		w := l.Measure.Width(lead + c.Label)
		if wide += w + 2; c.Break {
			breaks, group = true, 0
		}
		group += w + 1
		widest = max(widest, group-1)
	}
	row, gap := wide <= l.Width-4, "  "
	if breaks {
		row, gap = widest <= l.Width-4, " "
	}
	if !row && n > mostStacked {
		return p.shortAnswers(l, mostStacked)
	}
	for i, c := range p.q.Choices {
		switch {
		case c.Apart():
		case row && c.Break && len(a.rows) > 0:
			a.rows = append(a.rows, "  ")
			a.behind(p, l, i, c.Label, gap)
		case row:
			a.behind(p, l, i, c.Label, gap)
		default:
			a.answer(p, l, i, c.Label)
		}
	}
	return a
}

// shortAnswers returns the choices with short labels in as few rows as possible, with the full label of the selected one
// below if limit leaves room for it.
func (p sketch) shortAnswers(l *style.Look, limit int) answerRows {
	var a answerRows
	label := p.shortLabels(l, limit)
	for i, c := range p.q.Choices {
		if c.Apart() {
			continue
		}
		lead, _ := p.mark(l, i)
		if n := len(a.rows); n > 0 && n+1 < limit && l.Measure.Width(a.rows[n-1])+1+l.Measure.Width(lead+label(i)) > l.Width-2 {
			a.rows = append(a.rows, "  ")
		}
		a.behind(p, l, i, label(i), " ")
	}
	for i := range a.rows {
		a.rows[i] = l.Measure.Clip(a.rows[i], l.Width)
	}
	if c := p.q.Choices[p.q.At]; p.focus.has() && c.Label != c.Short {
		if words := l.Measure.Wrap(c.Label, l.Width-6); len(a.rows)+len(words) <= limit {
			for _, s := range words {
				a.rows = append(a.rows, "    "+l.Theme.Dim.Of(s))
			}
		}
	}
	return a
}

// shortLabels returns the function that labels the choices: with their short words, or where one row has to do and they do not
// fit, with those of the first, the selected and the harmless one, and the keys of the others.
func (p sketch) shortLabels(l *style.Look, limit int) func(i int) string {
	wide := 1
	for i, c := range p.q.Choices {
		if lead, _ := p.mark(l, i); !c.Apart() {
			wide += 1 + l.Measure.Width(lead+c.Short)
		}
	}
	return func(i int) string {
		c := p.q.Choices[i]
		if limit > 1 || wide <= l.Width || i == 0 || i == p.q.At || c.Key == p.safe {
			return c.Short
		}
		return ""
	}
}

// explanation returns the rows that say what the keys of the answers do, and when a letter counts.
func (p sketch) explanation(l *style.Look) []string {
	if p.q.Explain == "" || p.writing() {
		return nil
	}
	words := p.q.Explain + " Keys count after a pause; while you write they are text."
	if keys := l.AnswerKeys(); keys != "" {
		words += " " + strings.ToUpper(keys[:1]) + keys[1:] + " hands them to the question."
	}
	rows := l.Measure.Wrap(words, l.Width-4)
	for i, s := range rows {
		rows[i] = "  " + l.Theme.Dim.Of(s)
	}
	return rows
}
