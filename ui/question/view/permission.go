package view

import (
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

// partsRow returns the parts of a command in a flow: what is asked about, and what is allowed with the reason.
func (sk sketch) partsRow() (rows []string) {
	if sk.of.q.Permission == nil {
		return nil
	}
	ms, th := sk.look.Measure, sk.look.Theme
	row := ""
	for _, part := range sk.of.q.Permission.Parts {
		text := th.Warn.Of("? ") + part.Text
		if part.Allowed {
			text = th.Dim.Of("✓" + " " + strings.TrimSpace(part.Text+" "+strings.TrimPrefix(part.Why, "allowed")))
		}
		text = ms.Clip(text, sk.look.Width-8)
		switch {
		case row == "":
			row = "    " + text
		case ms.Width(row)+3+ms.Width(text) <= sk.look.Width-2:
			row += "   " + text
		default:
			rows, row = append(rows, row), "    "+text
		}
	}
	if row != "" {
		rows = append(rows, row)
	}
	return rows
}

// whyRows returns why the user is asked: what the rules say of each part, and the rules that the lasting answer saves, in full.
func (sk sketch) whyRows() []string {
	rows := sk.partRows()
	m, ms, th := sk.of.q.Permission, sk.look.Measure, sk.look.Theme
	if _, ok := m.Rule(); !ok {
		return append(rows, "  "+th.Dim.Of(ms.Clip(ruleLead+question.NoRule, sk.look.Width-4)))
	}
	texts := m.RuleTexts()
	if len(texts) == 0 {
		texts = []string{m.RuleText()}
	}
	lead := ms.Pad(m.RuleLead(), len(ruleLead))
	if about := m.RuleAbout(); about != "" {
		texts[len(texts)-1] += "  " + about
	}
	for _, text := range texts {
		for _, s := range ms.Wrap(text, max(1, sk.look.Width-4-len(ruleLead))) {
			rows = append(rows, "  "+th.Dim.Of(lead+s))
			lead = strings.Repeat(" ", len(ruleLead))
		}
	}
	return rows
}

// ruleLead is the text before a rule.
const ruleLead = "rule  "

// missRow warns of an edited rule that would not allow the call.
func (sk sketch) missRow() (rows []string) {
	if !sk.of.q.Permission.Misses() {
		return nil
	}
	for _, s := range sk.look.Measure.Wrap("Your rule "+sk.of.q.Permission.RuleText()+" does not cover this call: you will be asked again.", sk.look.Width-4) {
		rows = append(rows, "  "+sk.look.Theme.Warn.Of(s))
	}
	return rows
}

// ruleTail returns the rows below the subject while a rule is written, and the column of the cursor.
func (sk sketch) ruleTail(cx *int) answerRows {
	ms, th, w := sk.look.Measure, sk.look.Theme, sk.look.Width-4
	text, at := sk.of.rule.text.View(ms, max(1, w-len(ruleLead)-2))
	*cx = 2 + len(ruleLead) + at
	trouble := question.RuleTrouble(sk.of.rule.text.String())
	keys := "enter keep it, without an answer · esc drop"
	if n, _ := sk.of.q.Permission.Offers(); n > 1 {
		keys = "↑↓ other rules · " + keys
	}
	if !sk.of.writes() {
		keys = "enter write here · esc drop"
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

// waits returns how many asks are open, or how many are answered together.
func (sk sketch) waits(open int) string {
	switch m := sk.of.q.Permission; {
	case m != nil && m.All:
		return "all " + human.Number(len(m.Alike))
	case open > 1:
		return "1 of " + human.Number(open) + " questions"
	}
	return ""
}
