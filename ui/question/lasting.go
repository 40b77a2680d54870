package question

import (
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/permission"
	"parley/ui/style"
)

// Scope returns for how long the lasting answer holds. A rule that the agent's runtime keeps has only the session's.
func (p *Permission) Scope() session.Scope { return p.scopes()[p.rules.scope] }

// scopes returns for how long the rule of the moment may hold, the shortest first.
func (p *Permission) scopes() []session.Scope {
	if rule, _ := p.Rule(); rule.Destination != "" {
		return scopes[:1]
	}
	return scopes
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
	all := p.scopes()
	return scopeWords(p.Scope()), len(all) > 1
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

// HoldFor lets the lasting answer hold for a scope, and reports false where it cannot.
func (q *Question) HoldFor(s session.Scope) bool {
	at := slices.Index(q.Permission.scopes(), s)
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
	rules := permission.ReadRules(rule)
	if len(rules) == 0 {
		return "Yes, and don't ask again for " + style.Spell(style.OneLine(rule.Label))
	}
	var edits, others []string
	for _, r := range rules {
		if r.Subject == permission.OnEdit {
			edits = append(edits, changesTo(r.Pattern))
		} else {
			others = append(others, p.kind(r))
		}
	}
	words := "Yes, and " + human.And(edits)
	switch {
	case len(edits) == 0:
		words = "Yes, and don't ask again for " + human.And(others)
	case len(others) > 0:
		words += ", and " + human.And(others)
	}
	return style.Spell(style.OneLine(words))
}

// kind returns in words what a rule covers that is not about edits.
func (p *Permission) kind(r permission.Rule) string {
	switch r.Subject {
	case permission.OnCommand:
		if words, ok := strings.CutSuffix(r.Pattern, " *"); ok {
			return words
		}
		if strings.TrimSpace(r.Pattern) == strings.TrimSpace(p.ask.Command) {
			return "exactly this"
		}
		return "exactly " + r.Pattern
	case permission.OnRead:
		return "reading " + files(r.Pattern)
	case permission.OnFetch:
		if domain, ok := strings.CutPrefix(r.Pattern, "*."); ok {
			return "pages of " + domain + " and its subdomains"
		}
		return "pages of " + r.Pattern
	case permission.OnServer:
		if server, tool, ok := strings.Cut(r.Pattern, "/"); ok {
			return tool + " of " + server
		}
		return "any tool of " + r.Pattern
	}
	return r.Pattern
}

// changesTo returns in words which changes a glob of an edit rule covers.
func changesTo(glob string) string {
	if words := files(glob); words != glob {
		return words
	}
	return "further changes to " + glob
}

// files returns in words which files a glob covers, the glob itself for a single one.
func files(glob string) string {
	dir, all := strings.CutSuffix(glob, "**")
	switch {
	case all && dir == "":
		return "any file in this project"
	case all && !strings.ContainsAny(dir, "*?["):
		return "any file in " + dir
	case strings.ContainsAny(glob, "*?["):
		return "files like " + glob
	}
	return glob
}
