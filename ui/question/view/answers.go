package view

import (
	"slices"
	"strings"

	"parley/ui/style"
)

// maxAnswer is how wide a row of an answer gets: what stands at its right end is read together with it.
const maxAnswer = 86

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

// answer adds an answer on rows of its own, its label wrapped, with for how long it holds at the right end.
func (a *answerRows) answer(sk sketch, i int) {
	lead, st := sk.mark(i)
	ms, in, first := sk.look.Measure, sk.look.Measure.Width(lead)+2, len(a.rows)
	for n, line := range ms.Wrap(sk.of.q.Choices[i].Label, max(1, sk.look.Width-4-in)) {
		row := sk.colored(i, st, line)
		if n > 0 {
			row = strings.Repeat(" ", in-2) + st.Of(line)
		}
		a.hits = append(a.hits, zone{row: len(a.rows), x0: 2, x1: sk.look.Width, at: i})
		a.rows = append(a.rows, "  "+row)
	}
	if sk.of.q.Choices[i].Lasts {
		a.howLong(sk, i, in)
	}
	a.lift(sk, i, first)
}

// lift raises the rows of the selected answer from one on, as wide as the text above.
func (a *answerRows) lift(sk sketch, i, from int) {
	if i != sk.of.q.At || !sk.of.focus.has() {
		return
	}
	for n := from; n < len(a.rows); n++ {
		a.rows[n] = "  " + sk.look.Theme.Lift(strings.TrimPrefix(a.rows[n], "  "), sk.look.Inner(), sk.look.Measure)
	}
}

// howLong adds for how long an answer holds at the end of its last row, or on a row below where that is too long.
func (a *answerRows) howLong(sk sketch, i, in int) {
	words, changes := sk.of.q.Permission.HowLong()
	ms, th := sk.look.Measure, sk.look.Theme
	if words == "" {
		return
	}
	text := th.Dim.Of(ms.Clip(words, sk.look.Width-4-in))
	if changes {
		arrow := th.Dim
		if sk.of.focus.has() {
			arrow = th.Accent
		}
		text = arrow.Of("‹") + th.Dim.Of(" "+words+" ") + arrow.Of("›")
	}
	last := a.rows[len(a.rows)-1]
	x := max(min(sk.look.Width-2, maxAnswer)-ms.Width(text), ms.Width(last)+2)
	if x+ms.Width(text) > sk.look.Width-2 {
		a.rows, last, x = append(a.rows, ""), "", in+2
	}
	a.rows[len(a.rows)-1] = ms.Pad(last, x) + text
	if changes { // before the zone of the whole row: the first one counts
		a.hits = append([]zone{{row: len(a.rows) - 1, x0: x, x1: x + ms.Width(text), at: zoneLonger}}, a.hits...)
	}
	a.hits = append(a.hits, zone{row: len(a.rows) - 1, x0: 2, x1: sk.look.Width, at: i})
}

// mark returns the text before an answer, and the style of the answer.
func (sk sketch) mark(i int) (string, style.Style) {
	switch {
	case !sk.of.focus.has():
		return "  " + sk.of.q.Choices[i].Key + "  ", sk.look.Theme.Dim
	case i == sk.of.q.At:
		return "❯ " + sk.of.q.Choices[i].Key + "  ", sk.look.Theme.Chosen
	}
	return "  " + sk.of.q.Choices[i].Key + "  ", ""
}

// colored returns an answer with its mark and key. A key that works now stands out from its label.
func (sk sketch) colored(i int, st style.Style, label string) string {
	lead, _ := sk.mark(i)
	if st != "" || !sk.of.focus.has() {
		return st.Of(lead + label)
	}
	return sk.look.Theme.Accent.Of(lead) + label
}

// answers returns the choices below each other, each a sentence.
func (sk sketch) answers() answerRows {
	var a answerRows
	for i, c := range sk.of.q.Choices {
		if !c.Apart() {
			a.answer(sk, i)
		}
	}
	return a
}

// hint is a key with what it does, and the choice that a click on it takes; -1 for none.
type hint struct {
	key, does string
	at        int
}

// hints returns what other keys do, what matters most first.
func (sk sketch) hints() (all []hint) {
	if sk.of.form == nil && len(sk.of.q.Choices) > 0 {
		all = append(all, hint{"↑↓", "enter", -1})
	}
	if _, changes := sk.of.q.Permission.HowLong(); changes {
		all = append(all, hint{"←→", "how long", -1})
	}
	if sk.of.q.TakesMessage() {
		all = append(all, hint{"tab", "message", -1})
	}
	if stop := sk.turn.stop; stop.key != "" && sk.of.q.Ask != nil && sk.of.form == nil {
		stop.does = strings.TrimPrefix(stop.does, "to ")
		all = append(all, stop)
	}
	for i, c := range sk.of.q.Choices {
		if c.Apart() {
			all = append(all, hint{c.Key, c.Hint, i})
		}
	}
	return all
}

// foldedHints returns the keys beside the answers that are named: those for which one row has room, and the key that shows the rest.
// Without such a key, or once it was pressed, these are all.
func (sk sketch) foldedHints() []hint {
	all := sk.hints()
	if len(all) == 0 || all[len(all)-1].key != "?" {
		return all
	}
	more, all := all[len(all)-1], all[:len(all)-1]
	width := func(h hint) int { return sk.look.Measure.Width(h.key+h.does) + 1 }
	const sep = 3 // cells of " · "
	wide, fits := 2, 0
	for i, h := range all {
		wide += width(h)
		if wide+sep+width(more) <= sk.look.Width-2 {
			fits = i + 1
		}
		wide += sep
	}
	sk.of.folds = wide-sep > sk.look.Width-2
	switch {
	case !sk.of.folds:
		return all
	case sk.of.more:
		more.does = "fewer"
		return append(all, more)
	}
	return append(all[:fits:fits], more)
}

// hintRows returns the keys beside the answers, with the zones of those that can be clicked.
func (sk sketch) hintRows() (a answerRows) {
	ms, th := sk.look.Measure, sk.look.Theme
	for _, h := range sk.foldedHints() {
		text, sep, last := h.key+" "+h.does, " · ", len(a.rows)-1
		if last < 0 || ms.Width(a.rows[last]+sep+text) > sk.look.Width-2 {
			a.rows, sep, last = append(a.rows, "  "), "", last+1
		}
		x := ms.Width(a.rows[last] + sep)
		key := th.Dim
		if sk.of.focus.has() && h.at >= 0 {
			key = th.Accent
		}
		a.rows[last] += th.Dim.Of(sep) + key.Of(h.key) + th.Dim.Of(" "+h.does)
		if h.at >= 0 {
			a.hits = append(a.hits, zone{row: last, x0: x, x1: x + ms.Width(text), at: h.at})
		}
	}
	return a
}

// first returns the first row alone.
func (a answerRows) first() answerRows {
	a.rows = a.rows[:min(1, len(a.rows))]
	a.hits = slices.DeleteFunc(slices.Clone(a.hits), func(h zone) bool { return h.row > 0 })
	return a
}

// shortAnswers returns the choices with short labels in as few rows as possible, with the full label of the selected one
// below if limit leaves room for it.
func (sk sketch) shortAnswers(limit int) answerRows {
	var a answerRows
	if stacked := sk.clippedAnswers(); len(stacked.rows) <= limit {
		return stacked
	}
	label := sk.shortLabels(limit)
	for i, c := range sk.of.q.Choices {
		if c.Apart() {
			continue
		}
		lead, _ := sk.mark(i)
		if n := len(a.rows); n > 0 && n+1 < limit && sk.look.Measure.Width(a.rows[n-1])+1+sk.look.Measure.Width(lead+label(i)) > sk.look.Width-2 {
			a.rows = append(a.rows, "  ")
		}
		a.beside(sk, i, label(i))
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

// clippedAnswers returns the choices below each other, each cut to one row.
func (sk sketch) clippedAnswers() (a answerRows) {
	for i, c := range sk.of.q.Choices {
		if c.Apart() {
			continue
		}
		a.rows = append(a.rows, "  ")
		a.beside(sk, i, sk.look.Measure.Clip(c.Label, sk.look.Width-9))
	}
	return a
}

// beside adds an answer at the end of the last row.
func (a *answerRows) beside(sk sketch, i int, label string) {
	lead, st := sk.mark(i)
	at := 2
	if len(a.rows) == 0 {
		a.rows = []string{"  "}
	} else if at = sk.look.Measure.Width(a.rows[len(a.rows)-1]); at > 2 {
		a.rows[len(a.rows)-1] += " "
		at++
	}
	a.hits = append(a.hits, zone{row: len(a.rows) - 1, x0: at, x1: at + sk.look.Measure.Width(lead+label), at: i})
	a.rows[len(a.rows)-1] += sk.colored(i, st, label)
}

// shortLabels returns the function that labels the choices: with their short words, or where one row has to do and they do not
// fit, with those of the first and the selected one, and the keys of the others.
func (sk sketch) shortLabels(limit int) func(i int) string {
	wide := 1
	for i, c := range sk.of.q.Choices {
		if lead, _ := sk.mark(i); !c.Apart() {
			wide += 1 + sk.look.Measure.Width(lead+c.Short)
		}
	}
	return func(i int) string {
		if limit > 1 || wide <= sk.look.Width || i == 0 || i == sk.of.q.At {
			return sk.of.q.Choices[i].Short
		}
		return ""
	}
}
