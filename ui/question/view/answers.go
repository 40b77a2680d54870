package view

import (
	"strings"

	"parley/ui/style"
)

// maxStacked is how many choices may stand below each other: more leave too little room for the subject.
const maxStacked = 4

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
func (a *answerRows) answer(sk sketch, i int, label string) {
	lead, st := sk.mark(i)
	in := sk.look.Measure.Width(lead) + 2
	for n, line := range sk.look.Measure.Wrap(label, max(1, sk.look.Width-4-in)) {
		row := sk.colored(i, st, line)
		if n > 0 {
			row = strings.Repeat(" ", in-2) + st.Of(line)
		}
		a.hits = append(a.hits, zone{row: len(a.rows), x0: 2, x1: sk.look.Width, at: i})
		a.rows = append(a.rows, "  "+row)
	}
}

// mark returns the text before an answer, and the style of the answer.
func (sk sketch) mark(i int) (string, style.Style) {
	switch {
	case !sk.of.focus.has():
		return "  " + sk.of.q.Choices[i].Key + " ", sk.look.Theme.Dim
	case i == sk.of.q.At:
		return "❯ " + sk.of.q.Choices[i].Key + " ", sk.look.Theme.Chosen
	}
	return "  " + sk.of.q.Choices[i].Key + " ", ""
}

// colored returns an answer with its mark and key. A key that works now stands out from its label.
func (sk sketch) colored(i int, st style.Style, label string) string {
	lead, _ := sk.mark(i)
	if st != "" || !sk.of.focus.has() {
		return st.Of(lead + label)
	}
	return sk.look.Theme.Accent.Of(lead) + label
}

// behind adds an answer at the end of the last row.
func (a *answerRows) behind(sk sketch, i int, label, gap string) {
	lead, st := sk.mark(i)
	at := 2
	if len(a.rows) == 0 {
		a.rows = []string{"  "}
	} else {
		last := a.rows[len(a.rows)-1]
		if at = sk.look.Measure.Width(last); at > 2 {
			a.rows[len(a.rows)-1] += gap
			at += sk.look.Measure.Width(gap)
		}
	}
	a.hits = append(a.hits, zone{row: len(a.rows) - 1, x0: at, x1: at + sk.look.Measure.Width(lead+label), at: i})
	a.rows[len(a.rows)-1] += sk.colored(i, st, label)
}

// answers returns the choices with their full labels: in a row, in a row of those that allow and one of those that refuse, or
// below each other where a row is too narrow.
func (sk sketch) answers() answerRows {
	var a answerRows
	wide, widest, breaks, n := 0, 0, false, 0
	group := 0
	for i, c := range sk.of.q.Choices {
		if c.Apart() {
			continue
		}
		n++
		lead, _ := sk.mark(i)
		w := sk.look.Measure.Width(lead + c.Label)
		if wide += w + 2; c.Break {
			breaks, group = true, 0
		}
		group += w + 1
		widest = max(widest, group-1)
	}
	row, gap := wide <= sk.look.Width-4, "  "
	if breaks {
		row, gap = widest <= sk.look.Width-4, " "
	}
	if !row && n > maxStacked {
		return sk.shortAnswers(maxStacked)
	}
	for i, c := range sk.of.q.Choices {
		switch {
		case c.Apart():
		case row && c.Break && len(a.rows) > 0:
			a.rows = append(a.rows, "  ")
			a.behind(sk, i, c.Label, gap)
		case row:
			a.behind(sk, i, c.Label, gap)
		default:
			a.answer(sk, i, c.Label)
		}
	}
	return a
}

// shortAnswers returns the choices with short labels in as few rows as possible, with the full label of the selected one
// below if limit leaves room for it.
func (sk sketch) shortAnswers(limit int) answerRows {
	var a answerRows
	label := sk.shortLabels(limit)
	for i, c := range sk.of.q.Choices {
		if c.Apart() {
			continue
		}
		lead, _ := sk.mark(i)
		if n := len(a.rows); n > 0 && n+1 < limit && sk.look.Measure.Width(a.rows[n-1])+1+sk.look.Measure.Width(lead+label(i)) > sk.look.Width-2 {
			a.rows = append(a.rows, "  ")
		}
		a.behind(sk, i, label(i), " ")
	}
	for i := range a.rows {
		a.rows[i] = sk.look.Measure.Clip(a.rows[i], sk.look.Width)
	}
	if c := sk.of.q.Choices[sk.of.q.At]; sk.of.focus.has() && c.Label != c.Short {
		if words := sk.look.Measure.Wrap(c.Label, sk.look.Width-6); len(a.rows)+len(words) <= limit {
			for _, s := range words {
				a.rows = append(a.rows, "    "+sk.look.Theme.Dim.Of(s))
			}
		}
	}
	return a
}

// shortLabels returns the function that labels the choices: with their short words, or where one row has to do and they do not
// fit, with those of the first, the selected and the harmless one, and the keys of the others.
func (sk sketch) shortLabels(limit int) func(i int) string {
	wide := 1
	for i, c := range sk.of.q.Choices {
		if lead, _ := sk.mark(i); !c.Apart() {
			wide += 1 + sk.look.Measure.Width(lead+c.Short)
		}
	}
	return func(i int) string {
		c := sk.of.q.Choices[i]
		if limit > 1 || wide <= sk.look.Width || i == 0 || i == sk.of.q.At || c.Key == sk.of.safe {
			return c.Short
		}
		return ""
	}
}

// explanation returns the rows that say what the keys of the answers do, and when a letter counts.
func (sk sketch) explanation() []string {
	if sk.of.q.Explain == "" || sk.of.writing() {
		return nil
	}
	words := sk.of.q.Explain + " Keys count after a pause; while you write they are text."
	if keys := sk.look.AnswerKeys(); keys != "" {
		words += " " + strings.ToUpper(keys[:1]) + keys[1:] + " hands them to the question."
	}
	rows := sk.look.Measure.Wrap(words, sk.look.Width-4)
	for i, s := range rows {
		rows[i] = "  " + sk.look.Theme.Dim.Of(s)
	}
	return rows
}
