package question

import (
	"cmp"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/permission"
	"parley/ui/style"
)

// Scope returns for how long the lasting answer holds.
func (p *Permission) Scope() session.Scope {
	all := p.scopes()
	return all[min(p.rules.scope, len(all)-1)]
}

// scopes returns for how long the rule of the moment may hold, the shortest first.
func (p *Permission) scopes() []session.Scope {
	rule, _ := p.Rule()
	return rule.Lasts()
}

// HowLong returns in words for how long the lasting answer holds, and whether the user can change it.
func (p *Permission) HowLong() (words string, changes bool) {
	rule, ok := p.Rule()
	switch {
	case !ok:
		return "", false
	case rule.Destination != "":
		return "kept by " + style.Spell(style.OneLine(rule.Destination)), false
	}
	if len(p.scopes()) == 1 {
		return scopeWords(p.Scope()) + " only", false
	}
	return scopeWords(p.Scope()), true
}

// scopeWords returns how long an answer with a scope holds.
func scopeWords(s session.Scope) string {
	switch s {
	case session.ScopeProject:
		return "this project"
	case session.ScopeGlobal:
		return "always"
	}
	return "this session"
}

// Times returns a word for each time for which the lasting answer may hold, the shortest first.
func (p *Permission) Times() []string {
	var words []string
	for _, s := range p.scopes() {
		words = append(words, strings.TrimPrefix(scopeWords(s), "this "))
	}
	return words
}

// Longer lets the lasting answer hold so many steps longer, or shorter if by is negative, selects it, and reports whether there is one.
func (q *Question) Longer(by int) bool {
	p := q.Permission
	if _, changes := p.HowLong(); !changes {
		return false
	}
	p.rules.scope = max(0, min(p.rules.scope+by, len(p.scopes())-1))
	q.allow()
	q.At = q.ChoiceOf("a")
	return true
}

// HoldFor lets the lasting answer hold for as long as a word says, such as "session" or "always", and reports false where it cannot.
func (q *Question) HoldFor(word string) bool {
	at := slices.Index(q.Permission.Times(), strings.ToLower(word))
	if at < 0 {
		return false
	}
	q.Permission.rules.scope = at
	q.renew()
	return true
}

// explains reports whether there is more to say about why the user is asked.
func (q *Question) explains() bool {
	_, ok := q.Permission.Rule()
	return ok || len(q.Permission.Parts) > 0 || q.Detail != ""
}

// ToggleWhy shows why the user is asked, or hides it again.
func (q *Question) ToggleWhy() { q.Permission.Why = !q.Permission.Why }

// sentence returns the lasting answer as a sentence, with its rules in words.
func (p *Permission) sentence() string {
	rule, _ := p.Rule()
	words := "don't ask again for " + human.And(rule.Names)
	edits := slices.ContainsFunc(permission.ReadRules(rule), func(r permission.Rule) bool { return r.Subject == permission.OnEdit })
	switch {
	case len(rule.Unchanged) == 1:
		words = "don't ask again while " + rule.Unchanged[0] + " is unchanged"
	case len(rule.Unchanged) > 1:
		words = "don't ask again while " + human.And(rule.Unchanged) + " are unchanged"
	case len(rule.Names) == 0:
		words = "don't ask again for " + cmp.Or(rule.Label, p.RuleDraft())
	case edits && strings.HasPrefix(rule.Names[0], "any file"):
		words = human.And(rule.Names)
	case edits:
		words = "any change to " + human.And(rule.Names)
	}
	return style.Spell(style.OneLine("Yes, and " + words))
}

// Note returns what to know of the lasting answer besides, "" for nothing.
func (p *Permission) Note() string {
	if p == nil {
		return ""
	}
	if rule, _ := p.Rule(); len(rule.Unchanged) > 0 {
		return "Files that it loads are not checked. It ends when the agent changes a file."
	}
	return ""
}
