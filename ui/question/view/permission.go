package view

import (
	"slices"
	"strings"

	"parley/internal/human"
	"parley/ui/question"
	"parley/ui/style"
)

// bodyRows returns the rows of a line of the subject: all of it, broken where a row is full, with the parts of a command
// marked.
func (sk sketch) bodyRows(i int, line string) (rows []string) {
	var marks []question.Mark
	if m := sk.of.q.Permission; m != nil && i < len(m.Marks) {
		marks = m.Marks[i]
	}
	from := 0
	for _, s := range sk.look.Measure.Hardwrap(line, max(1, sk.look.Width-8)) {
		rows = append(rows, "    "+marked(sk.look, s, from, marks))
		from += len(s)
	}
	return rows
}

// marked returns a row of a line that begins at a byte of it, with the marks that lie in the row: what is asked about stands
// out, and what is allowed steps back.
func marked(l *style.Look, row string, from int, marks []question.Mark) string {
	var b strings.Builder
	at := 0
	for _, m := range marks {
		begin, end := max(m.From-from, at), min(m.To-from, len(row))
		if begin >= end {
			continue
		}
		st := l.Theme.Bold
		if m.Allowed {
			st = l.Theme.Dim
		}
		b.WriteString(row[at:begin] + st.Of(row[begin:end]))
		at = end
	}
	return b.String() + row[at:]
}

// partRows returns a row for each part of a command: what the rules say of it. Where a row is too narrow, that stands below.
func (sk sketch) partRows() (rows []string) {
	if sk.of.q.Permission == nil {
		return nil
	}
	ms, th, w := sk.look.Measure, sk.look.Theme, sk.look.Width-4
	wide := 0
	for _, part := range sk.of.q.Permission.Parts {
		wide = max(wide, min(ms.Width(part.Text), (w-6)/2))
	}
	for _, part := range sk.of.q.Permission.Parts {
		sign, st, why := th.Warn.Of("? "), style.Style(""), part.Why
		if part.Allowed {
			sign, st = th.Dim.Of("✓ "), th.Dim
			if why = part.Why; !strings.HasPrefix(why, "allowed") {
				why = strings.TrimSuffix("allowed: "+why, ": ")
			}
		}
		lead := "    " + sign
		if sk.look.Width < narrow {
			rows = append(rows, lead+st.Of(ms.Clip(part.Text, w-4)))
			for _, s := range ms.Wrap(why, w-6) {
				rows = append(rows, "        "+th.Dim.Of(s))
			}
			continue
		}
		lead += st.Of(ms.Pad(part.Text, wide)) + "  "
		for _, s := range ms.Wrap(why, max(1, w-6-wide)) {
			rows = append(rows, lead+st.Of(s))
			lead = strings.Repeat(" ", 8+wide)
		}
	}
	return rows
}

// narrow is the width below which two columns do not fit beside each other.
const narrow = 60

// ruleLead is the text before a rule.
const ruleLead = "rule  "

// ruleRows returns the rule that the lasting answers save, in full, and the keys that change it. There are none where no
// answer lasts.
func (sk sketch) ruleRows() (a answerRows) {
	m := sk.of.q.Permission
	if _, ok := m.Rule(); !ok {
		if m != nil && (sk.of.q.Detail != "" || len(m.Parts) > 0) {
			a.rows = []string{"  " + sk.look.Theme.Dim.Of(sk.look.Measure.Clip(ruleLead+question.NoRule, sk.look.Width-4))}
		}
		return a
	}
	ms, th, w := sk.look.Measure, sk.look.Theme, sk.look.Width-4
	for i, s := range ms.Wrap(m.RuleText(), max(1, w-len(ruleLead))) {
		lead := strings.Repeat(" ", len(ruleLead))
		if i == 0 {
			lead = th.Dim.Of(ms.Pad(m.RuleLead(), len(ruleLead)))
		}
		a.rows = append(a.rows, "  "+lead+s)
	}
	for _, s := range ms.Wrap(m.RuleAbout(), max(1, w-len(ruleLead))) {
		last := &a.rows[len(a.rows)-1]
		switch {
		case s == "":
		case ms.Width(*last)+2+ms.Width(s) <= sk.look.Width-2:
			*last += "  " + th.Dim.Of(s)
		default:
			a.rows = append(a.rows, "  "+strings.Repeat(" ", len(ruleLead))+th.Dim.Of(s))
		}
	}
	sk.ruleKeys(&a)
	if m.Misses() {
		for _, s := range ms.Wrap(doesNotCover, max(1, w-len(ruleLead))) {
			a.rows = append(a.rows, "  "+strings.Repeat(" ", len(ruleLead))+th.Warn.Of(s))
		}
	}
	return a
}

// rulesRow returns the rules that are granted together in one row, with how many it leaves out; "" for a single one. It stands above
// the answers where the rows of the rules have to be scrolled to.
func (sk sketch) rulesRow() string {
	m, ms, w := sk.of.q.Permission, sk.look.Measure, sk.look.Width-4-len(ruleLead)
	all := m.RuleTexts()
	for n := len(all); n > 0; n-- {
		text, more := strings.Join(all[:n], ", "), ""
		if n < len(all) {
			more = " and " + human.Number(len(all)-n) + " more"
		}
		if n == 1 {
			text = ms.Clip(text, max(1, w-ms.Width(more)))
		}
		if n == 1 || ms.Width(text+more) <= w {
			return "  " + sk.look.Theme.Dim.Of(ms.Pad(m.RuleLead(), len(ruleLead))) + text + sk.look.Theme.Dim.Of(more)
		}
	}
	return ""
}

// doesNotCover is what is said of an edited rule that would not allow the call.
const doesNotCover = "does not cover this call, which is asked about again"

// ruleKeys adds the keys that change the rule at the right end of its last row, or on a row below.
func (sk sketch) ruleKeys(a *answerRows) {
	ms, w := sk.look.Measure, sk.look.Width-4
	n, at := sk.of.q.Permission.Offers()
	edit := sk.of.q.ChoiceOf("e")
	var words []string
	switch {
	case at == 0:
		words = append(words, "tab drops yours")
	case n > 1:
		words = append(words, "tab "+human.Number(at)+" of "+human.Number(n))
	}
	rest := strings.Join(words, " · ")
	key := ""
	if c := sk.of.q.Choices[sk.of.q.At]; sk.of.focus.has() && c.Select && c.Answer.Rule != nil {
		edit, rest = -1, "enter saves it for "+c.Label
		if c.Key == "g" {
			rest = "enter saves it for every project"
		}
	}
	if edit >= 0 {
		if key = "e edits"; rest != "" {
			key += " · "
		}
	}
	hint := key + rest
	if hint == "" {
		return
	}
	last := a.rows[len(a.rows)-1]
	if ms.Width(last)+2+ms.Width(hint) > sk.look.Width-2 {
		a.rows, last = append(a.rows, ""), ""
	}
	x := 2 + w - ms.Width(hint)
	a.rows[len(a.rows)-1] = ms.Pad(last, x) + sk.keyWords(key, sk.of.q.At == edit) + sk.keyWords(rest, false)
	if edit >= 0 {
		a.hits = append(a.hits, zone{row: len(a.rows) - 1, x0: x, x1: x + len("e edits"), at: edit})
	}
}

// keyWords returns what a key does, its first word the key, which stands out while it works.
func (sk sketch) keyWords(words string, chosen bool) string {
	key, does, _ := strings.Cut(words, " ")
	switch {
	case words == "":
		return ""
	case !sk.of.focus.has() || !slices.Contains([]string{"e", "tab", "enter"}, key):
		return sk.look.Theme.Dim.Of(words)
	case chosen:
		return sk.look.Theme.Chosen.Of(key+" "+strings.TrimSuffix(does, " · ")) + sk.look.Theme.Dim.Of(strings.Repeat(" · ", strings.Count(does, " · ")))
	}
	return sk.look.Theme.Accent.Of(key) + sk.look.Theme.Dim.Of(" "+does)
}

// ruleTail returns the rows below the subject while a rule is written, and the column of the cursor.
func (sk sketch) ruleTail(cx *int) answerRows {
	ms, th, w := sk.look.Measure, sk.look.Theme, sk.look.Width-4
	text, at := sk.of.rule.text.View(ms, max(1, w-len(ruleLead)-2))
	*cx = 2 + len(ruleLead) + at
	trouble := question.RuleTrouble(sk.of.rule.text.String())
	keys := "enter takes it, and answers nothing · esc drops it"
	if !sk.of.writes() {
		keys = "enter writes here · esc drops it"
	}
	a := answerRows{rows: []string{"  " + th.Accent.Of(ruleLead) + text}}
	if trouble != "" {
		for _, s := range ms.Wrap(trouble, w) {
			a.rows = append(a.rows, "  "+th.Warn.Of(s))
		}
	}
	a.rows = append(a.rows, "  "+th.Dim.Of(ms.Hints(keys, w)))
	return a
}

// waits returns how many asks are open, or how many may be answered together.
func (sk sketch) waits(open int) string {
	m := sk.of.q.Permission
	switch {
	case m != nil && m.All:
		return "all " + human.Number(len(m.Alike)) + " · " + onlyFirst
	case m != nil && len(m.Alike) > 1:
		return "1 of " + human.Number(len(m.Alike)) + " alike · " + takesAll
	case open > 1:
		return "1 of " + human.Number(open) + " waiting"
	}
	return ""
}

// The words in the head that a click on them, or the key a, makes true.
const (
	takesAll  = "a all"
	onlyFirst = "a only one"
)

// hitHead records where the head says how to answer all that are alike.
func (sk sketch) hitHead(head []string) {
	at := sk.of.q.ChoiceOf("a")
	if sk.of.q.Permission == nil || at < 0 {
		return
	}
	for row, s := range head {
		for _, words := range []string{onlyFirst, takesAll} {
			if before, _, ok := strings.Cut(style.Unstyled(s), words); ok {
				x := sk.look.Measure.Width(before)
				sk.of.clicks.hits = append(sk.of.clicks.hits, zone{row: row, x0: x, x1: x + len(words), at: at})
				return
			}
		}
	}
}
