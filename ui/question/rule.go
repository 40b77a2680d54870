package question

import (
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission"
	"parley/ui/style"
)

// rules are the rules that lasting answers may save, and the one that they save now.
type rules struct {
	offered []session.Rule
	at      int
	edited  *session.Rule // the user's own, nil for the offered one
	misses  bool          // that one is known not to cover the call
	scope   int           // for how long the answer holds: an index into what the rule allows
}

// current returns the rule that lasting answers save.
func (r *rules) current() session.Rule {
	if r.edited != nil {
		return *r.edited
	}
	return r.offered[r.at]
}

// Rule returns the rule that lasting answers save, and whether there is one.
func (p *Permission) Rule() (session.Rule, bool) {
	if p == nil || len(p.rules.offered) == 0 {
		return session.Rule{}, false
	}
	return p.rules.current(), true
}

// together returns the rules of the moment that are granted together, nil for a single one.
func (p *Permission) together() []permission.Rule {
	rule, _ := p.Rule()
	if rules := permission.ReadRules(rule); len(rules) > 1 {
		return rules
	}
	return nil
}

// RuleDraft returns the text of that rule in one line, as it came, to be edited; "" without one.
func (p *Permission) RuleDraft() string {
	rule, ok := p.Rule()
	if !ok {
		return ""
	}
	text := rule.Text
	if r, ok := permission.ReadRule(rule); ok && text == "" {
		text = r.String()
	}
	if text == "" || len(rule.Unchanged) > 0 {
		text = rule.Label
	}
	return style.OneLine(text)
}

// RuleText returns the text of that rule as the user reads it, "" without one. Of several that are granted together it is all of
// them.
func (p *Permission) RuleText() string {
	if all := p.RuleTexts(); len(all) > 1 {
		return strings.Join(all, ", ")
	}
	return style.Spell(p.RuleDraft())
}

// RuleTexts returns the texts of the rules that are granted together, nil for a single one. What a rule is about is said where that
// changes.
func (p *Permission) RuleTexts() (all []string) {
	about := permission.Subject("")
	for _, r := range p.together() {
		text := r.Pattern
		if r.Subject != about {
			text = r.String()
		}
		about, all = r.Subject, append(all, style.Spell(style.OneLine(text)))
	}
	return all
}

// RuleLead returns the word before that rule: how many it is.
func (p *Permission) RuleLead() string {
	if p.together() != nil {
		return "rules"
	}
	return "rule"
}

// NoRule is what stands in the place of a rule where none is offered.
const NoRule = "none: parley can't remember this one"

// RuleAbout returns what else there is to know of that rule: where it is kept if not by parley, or its label if that says
// something new; else "".
func (p *Permission) RuleAbout() string {
	rule, _ := p.Rule()
	if rule.Destination != "" {
		return "kept by " + style.Spell(style.OneLine(rule.Destination))
	}
	for _, r := range permission.ReadRules(rule) {
		if note := r.Note(); note != "" {
			return note
		}
	}
	if p.together() != nil {
		return ""
	}
	label, text := style.OneLine(rule.Label), p.RuleDraft()
	if _, pattern, _ := strings.Cut(text, " "); strings.Contains(text, label) || strings.HasSuffix(label, " "+pattern) {
		return ""
	}
	return style.Spell(label)
}

// Offers returns how many rules are offered, and the place of the current one among them, from 1; 0 for an edited one.
func (p *Permission) Offers() (n, at int) {
	if p == nil {
		return 0, 0
	}
	if p.rules.edited != nil {
		return len(p.rules.offered), 0
	}
	return len(p.rules.offered), p.rules.at + 1
}

// Editable reports whether the user can write another rule: it is a single one, and parley keeps it, not the agent's runtime.
func (p *Permission) Editable() bool {
	rule, ok := p.Rule()
	return ok && writable(rule)
}

// writable reports whether a user could write a rule: parley keeps it, and it is not about the content of a script.
func writable(r session.Rule) bool {
	if r.Text != "" {
		_, err := permission.ParseRule(r.Text)
		return err == nil && r.Destination == ""
	}
	_, ok := permission.ReadRule(r)
	return ok && r.Destination == ""
}

// editable reports whether the user can write a rule: one of those that are offered can be edited.
func (p *Permission) editable() bool {
	rule, ok := p.Rule()
	return ok && rule.Destination == "" && slices.ContainsFunc(p.rules.offered, writable)
}

// NextRule goes to the next offered rule, or from the user's own back to the offered one.
func (q *Question) NextRule() {
	p := q.Permission
	if p == nil || len(p.rules.offered) == 0 || len(p.rules.offered) == 1 && p.rules.edited == nil {
		return
	}
	if p.rules.edited == nil {
		p.rules.at = (p.rules.at + 1) % len(p.rules.offered)
	}
	p.rules.edited = nil
	q.renew()
}

// renew fills in the choices again, with the same one selected.
func (q *Question) renew() {
	key := q.Choices[q.At].Key
	q.allow()
	if at := q.ChoiceOf(key); at >= 0 && !q.Choices[at].Apart() {
		q.At = at
	}
}

// RuleTrouble returns what is wrong with the text of a rule that is to allow something, visible; "" for nothing.
func RuleTrouble(text string) string {
	r, err := permission.ParseRule(text)
	if err != nil {
		return style.Visible(style.OneLine(err.Error()))
	}
	return style.Visible(style.OneLine(r.Void()))
}

// Misses reports whether the rule of the moment is known not to cover the call, see [Permission.Missed].
func (p *Permission) Misses() bool { return p != nil && p.rules.edited != nil && p.rules.misses }

// Missed records that the user's rule, if it still is the one with this text, does not cover the call.
func (p *Permission) Missed(text string) {
	if r := p.rules.edited; r != nil && r.Text == text {
		p.rules.misses = true
	}
}

// Edited returns the user's rule and the call that it should cover, false without one.
func (p *Permission) Edited() (r permission.Rule, a *session.PermissionAsk, ok bool) {
	if p == nil || p.rules.edited == nil {
		return r, nil, false
	}
	r, ok = permission.ReadRule(*p.rules.edited)
	return r, p.ask, ok
}

// SetRule makes the user's rule the one that lasting answers save. It returns what is wrong with it, "" for nothing. An
// unchanged text changes nothing.
func (q *Question) SetRule(text string) (trouble string) {
	p := q.Permission
	if trouble = RuleTrouble(text); trouble != "" {
		return trouble
	}
	r, err := permission.ParseRule(text)
	if err != nil {
		return err.Error()
	}
	if old, ok := permission.ReadRule(p.rules.offered[p.rules.at]); ok && old.String() == r.String() {
		p.rules.edited = nil
	} else {
		offer := permission.Offer(r)
		p.rules.edited, p.rules.misses = &offer, false
	}
	q.renew()
	if at := q.ChoiceOf("a"); at >= 0 {
		q.At = at // Enter saves the rule that was just written
	}
	return ""
}
