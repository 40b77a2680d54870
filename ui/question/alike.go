package question

import (
	"iter"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// alike reports whether the user may answer two asks together: calls of the same tool, and of commands only those for which
// the same rule is offered.
func alike(a, b *session.Ask) bool {
	p, q := a.Permission, b.Permission
	if p == nil || q == nil || p.Tool != q.Tool || (p.Command == "") != (q.Command == "") || (p.Edit == nil) != (q.Edit == nil) {
		return false
	}
	return !p.Dangerous && !q.Dangerous && (p.Command == "" || firstRule(p).Text == firstRule(q).Text)
}

func firstRule(p *session.PermissionAsk) session.Rule {
	if len(p.Rules) == 0 {
		return session.Rule{}
	}
	return p.Rules[0]
}

// SetAlike tells the question which asks are open, in order, and reports whether that changes what it shows. A question about
// all keeps to those that it lists.
func (q *Question) SetAlike(open []*session.Ask) bool {
	p := q.Permission
	if p == nil || p.All {
		return false
	}
	var same []*session.Ask
	for _, a := range open {
		if a == q.Ask || alike(q.Ask, a) {
			same = append(same, a)
		}
	}
	if len(same) == len(p.Alike) {
		p.Alike = same
		return false
	}
	p.Alike = same
	q.renew()
	return true
}

// ForAll returns the question about all asks that are alike. Its body lists each of them in full.
func (q *Question) ForAll() *Question {
	p := q.Permission
	n := len(p.Alike)
	d := toolview.Describe(p.ask.Tool, p.ask.Input, p.o.Dir)
	all := &Question{Ask: q.Ask, Permission: &Permission{Alike: p.Alike, All: true, ask: p.ask, rules: p.rules, o: p.o, single: q}}
	what := style.Capital(wanted(p.ask, d)) + " all " + human.Number(n)
	if p.ask.Command != "" {
		what = "Run all " + human.Number(n) + " commands"
	}
	all.Title = style.Spell(style.OneLine(what + "?"))
	all.Detail = q.Detail
	for i, a := range p.Alike {
		if a.Permission.Reason != p.ask.Reason {
			all.Detail = ""
		}
		all.list(i+1, a)
	}
	all.allow()
	return all
}

// One returns the question about a single ask that a question about all came from.
func (q *Question) One() *Question {
	if q.Permission == nil || q.Permission.single == nil {
		return q
	}
	return q.Permission.single
}

// Asks returns the asks that the question is about: its own, and those that it lists.
func (q *Question) Asks() iter.Seq[*session.Ask] {
	return func(yield func(*session.Ask) bool) {
		if q == nil || q.Ask == nil || !yield(q.Ask) || q.Permission == nil || !q.Permission.All {
			return
		}
		for _, other := range q.Permission.Alike {
			if other != q.Ask && !yield(other) {
				return
			}
		}
	}
}

// Answers returns the answer of each ask that the question is about: that of the user to the first, whose rule is saved by then
// for the others.
func (q *Question) Answers(a session.Answer) iter.Seq2[*session.Ask, session.Answer] {
	return func(yield func(*session.Ask, session.Answer) bool) {
		for ask := range q.Asks() {
			if ask != q.Ask && a.Decision == session.Allow {
				a.Scope, a.Rule = session.ScopeOnce, nil
			}
			if !yield(ask, a) {
				return
			}
		}
	}
}

// list adds one of several asks to the body, with its number.
func (q *Question) list(n int, a *session.Ask) {
	p, o := a.Permission, q.Permission.o
	lines, marks := marked(p.Command, p.Parts)
	switch {
	case p.Command != "":
	case p.Edit != nil && a.Child != "": // the rows of a child are folded, so the change is shown here
		lines = append([]string{style.Spell(style.OneLine(shortened(p.Path, o.Dir, o.Home)))},
			patchLines(p, o)...)
	default:
		d := toolview.Describe(p.Tool, p.Input, o.Dir)
		subject := wholeSubject(p, d, o.Dir)
		lines = []string{style.Spell(style.OneLine(subject))}
		if p.Edit != nil {
			lines[0] += "  " + toolview.Changes(p.Edits())
		}
		if p.Path == "" || strings.HasSuffix(lines[0], "…") {
			lines = append(lines, inputLines(p.Input, subject)...)
		}
	}
	lead := human.Number(n) + "  "
	if o.Name != nil && a.Child != "" {
		lines[0] = o.Name(a.Child) + ": " + lines[0]
		for i := range marks[:min(1, len(marks))] {
			shift(marks[i], len(o.Name(a.Child))+2)
		}
	}
	for i, line := range lines {
		var of []Mark
		if i < len(marks) {
			of = marks[i]
		}
		shift(of, len(lead))
		q.Body, q.Permission.Marks = append(q.Body, lead+line), append(q.Permission.Marks, of)
		lead = strings.Repeat(" ", len(lead))
	}
}

// shift moves marks by so many bytes.
func shift(marks []Mark, by int) {
	for i := range marks {
		marks[i].From, marks[i].To = marks[i].From+by, marks[i].To+by
	}
}
