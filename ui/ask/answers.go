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

// answer adds an answer on rows of its own, its label wrapped.
func (a *answerRows) answer(p *prompt, l *style.Look, i int, label string) {
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
func (p *prompt) mark(l *style.Look, i int) (string, style.Style) {
	switch {
	case !p.focus.has():
		return "  " + p.q.Choices[i].Key + " ", l.Theme.Dim
	case i == p.q.At:
		return "❯ " + p.q.Choices[i].Key + " ", l.Theme.Chosen
	}
	return "  " + p.q.Choices[i].Key + " ", ""
}

// colored returns an answer with its mark and key. A key that works now stands out from its label.
func (p *prompt) colored(l *style.Look, i int, st style.Style, label string) string {
	lead, _ := p.mark(l, i)
	if st != "" || !p.focus.has() {
		return st.Of(lead + label)
	}
	return l.Theme.Accent.Of(lead) + label
}

// behind adds an answer at the end of the last row.
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
	a.hits = append(a.hits, zone{row: len(a.rows) - 1, x0: at, x1: at + l.Measure.Width(lead+label), at: i})
	a.rows[len(a.rows)-1] += p.colored(l, i, st, label)
}

// answers returns the choices with their full labels: in a row, or below each other where a row is too narrow.
func (p *prompt) answers(l *style.Look) answerRows {
	var a answerRows
	wide := 0
	for i, c := range p.q.Choices {
		lead, _ := p.mark(l, i)
		wide += l.Measure.Width(lead+c.Label) + 2
	}
	if wide > l.Width-4 && len(p.q.Choices) > mostStacked {
		return p.shortAnswers(l, mostStacked)
	}
	for i, c := range p.q.Choices {
		if wide <= l.Width-4 {
			a.behind(p, l, i, c.Label, "  ")
		} else {
			a.answer(p, l, i, c.Label)
		}
	}
	return a
}

// shortAnswers returns the choices with short labels in as few rows as possible, with the full label of the selected one
// below if limit leaves room for it.
func (p *prompt) shortAnswers(l *style.Look, limit int) answerRows {
	var a answerRows
	for i, c := range p.q.Choices {
		lead, _ := p.mark(l, i)
		if n := len(a.rows); n > 0 && n+1 < limit && l.Measure.Width(a.rows[n-1])+1+l.Measure.Width(lead+c.Short) > l.Width-2 {
			a.rows = append(a.rows, "  ")
		}
		a.behind(p, l, i, c.Short, " ")
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

// explanation returns the rows that say what the keys of the answers do, and when a letter counts.
func (p *prompt) explanation(l *style.Look) []string {
	if p.q.Explain == "" || p.reason != nil {
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
