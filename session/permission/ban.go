package permission

import (
	"strings"

	"parley/session"
	"parley/session/permission/shell"
	"parley/session/toolview"
)

// ban holds the verdict of the rules that deny and ask on a call. They are generous: where a rule may be about the call, it is unsure,
// and the call is asked about.
type ban struct {
	ruling Ruling // Deny, Ask, or "" for nothing
	rule   *Rule
	unsure bool // the rule denies, and may be about the call
	seen   *commands
}

// bans compares the rules that deny and ask with one call.
type bans struct {
	policy Policy
	found  map[string][]string // what was looked up of the patterns of files
	// lines are the files of a line as a whole, by the subject of the rules that are about them.
	lines map[Subject]*lineFiles
}

// likeness grades the fit of a rule to a call.
type likeness int

const (
	unlike likeness = iota
	maybe
	alike
)

// banned returns the strictest of the rules that deny or ask.
func (p Policy) banned(kind toolview.Kind, ask session.PermissionAsk) ban {
	var b ban
	compared := bans{p, map[string][]string{}, map[Subject]*lineFiles{}}
	var seen *commands
	var at *spot
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Ruling != Deny && r.Ruling != Ask {
			continue
		}
		if seen == nil && kind == toolview.Command {
			seen = p.commandsOf(ask.Command)
			b.seen = seen
		}
		if text, ok := typed(kind, ask); ok && seen == nil {
			seen = p.commandsOf(text)
		}
		if at == nil && ((kind == toolview.Edit && r.Subject == OnEdit) || (kind == toolview.Read || kind == toolview.Search) && r.Subject == OnRead) {
			at = compared.spotOf(ask.Path)
		}
		like := compared.resembles(r, kind, ask, seen, at)
		switch {
		case like == unlike:
		case r.Ruling == Deny && like == alike:
			return ban{ruling: Deny, rule: r}
		case r.Ruling == Deny && !b.unsure:
			b = ban{ruling: Ask, rule: r, unsure: true, seen: seen}
		case r.Ruling == Ask && b.rule == nil:
			b = ban{ruling: Ask, rule: r, seen: seen}
		}
	}
	return b
}

// resembles compares a rule that denies or asks with a call.
func (p bans) resembles(r *Rule, kind toolview.Kind, ask session.PermissionAsk, seen *commands, at *spot) likeness {
	switch r.Subject {
	case OnCommand:
		if kind == toolview.Command || seen != nil {
			return seen.like(r)
		}
	case OnEdit, OnRead:
		switch {
		case kind == toolview.Command, seen != nil:
			return p.commandFiles(r, seen)
		case kind == toolview.Edit && r.Subject == OnEdit, (kind == toolview.Read || kind == toolview.Search) && r.Subject == OnRead:
			return p.oneFile(r, at, kind == toolview.Search)
		}
	case OnTool:
		if strings.EqualFold(r.Pattern, ask.Tool) {
			return alike
		}
	case OnServer:
		return serverLike(r.Pattern, ask.Tool)
	case OnFetch:
		if kind == toolview.Fetch {
			return domainLike(r.Pattern, ask.Input)
		}
	}
	return unlike
}

// serverLike compares names as runtimes may spell them: without case, and with "_" for each odd sign.
func serverLike(pattern, tool string) likeness {
	plain := func(s string) string {
		return strings.ToLower(strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, s))
	}
	rest, ok := strings.CutPrefix(plain(tool), "mcp__")
	server, name, one := strings.Cut(pattern, "/")
	switch {
	case !ok:
		return unlike
	case !one && strings.HasPrefix(rest, plain(server)+"__"), one && rest == plain(server)+"__"+plain(name):
		return alike
	}
	return unlike
}

// like compares a rule for commands with all calls of a line. With or without " *", such a rule is about any arguments.
func (c *commands) like(r *Rule) likeness {
	like := unlike
	if c.unsure {
		like = maybe
	}
	first, _, _ := strings.Cut(r.Pattern, " ")
	if !strings.ContainsAny(first, `'"\`) && !c.mayBe(first) {
		return like
	}
	words, ok := r.words()
	if !ok {
		return max(like, c.likeLine(r))
	}
	for _, call := range c.calls {
		if like = max(like, callLike(words, call)); like == alike {
			return alike
		}
	}
	for _, code := range c.codes {
		if mentions(code, words) {
			like = max(like, maybe)
		}
	}
	return like
}

// likeLine compares a rule whose text is a line of several commands: it is about lines with that text in them.
func (c *commands) likeLine(r *Rule) likeness {
	if strings.Contains(c.text, strings.TrimSuffix(r.Pattern, " *")) {
		return alike
	}
	return unlike
}

// mayBe reports whether any call or code of the line may be of a program.
func (c *commands) mayBe(name string) bool {
	for _, call := range c.calls {
		if nameLike(name, call[0].Text) {
			return true
		}
	}
	for _, code := range c.codes {
		if strings.Contains(code, name) {
			return true
		}
	}
	return false
}

// nameLike reports whether a program may be the one that a rule names: in any directory, case and version.
func nameLike(rule, name string) bool {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 && !strings.Contains(rule, "/") {
		name = name[i+1:]
	}
	if len(name) < len(rule) || !strings.EqualFold(name[:len(rule)], rule) {
		return false
	}
	rest := name[len(rule):]
	return rest == "" || strings.Trim(rest, "0123456789.-") == "" || strings.EqualFold(rest, ".exe")
}

// callLike compares the words of a rule with those of a call. Options may stand anywhere, together and shortened, and have
// values; the other words have to come in their order.
func callLike(rule []string, call []shell.Word) likeness {
	if !nameLike(rule[0], call[0].Text) {
		return unlike
	}
	args := call[1:]
	like := alike
	var names []string
	for _, w := range rule[1:] {
		if strings.HasPrefix(w, "-") {
			like = min(like, optionLike(w, args))
			continue
		}
		names = append(names, w)
	}
	return min(like, orderLike(names, args))
}

// orderLike looks for names in their order, where options with or without values may stand between.
func orderLike(names []string, args []shell.Word) likeness {
	at := make([]bool, len(args)+2)
	at[0] = true
	for _, name := range names {
		next := make([]bool, len(args)+2)
		found := false
		for i := range args {
			if !at[i] {
				continue
			}
			switch a := args[i]; {
			case !a.Known:
				return maybe
			case strings.HasPrefix(a.Text, "-"):
				at[i+1], at[i+2] = true, true
			case strings.EqualFold(a.Text, name):
				next[i+1], found = true, true
			}
		}
		if !found {
			return unlike
		}
		at = next
	}
	return alike
}

// optionLike looks for an option of a rule among arguments.
func optionLike(option string, args []shell.Word) likeness {
	like := unlike
	letters := ""
	for _, a := range args {
		switch {
		case !a.Known:
			like = maybe
		case a.Text == option, strings.HasPrefix(a.Text, option+"="), strings.HasPrefix(option, "--") && len(a.Text) > 3 && strings.HasPrefix(option, before(a.Text)):
			return alike
		case strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--"):
			letters += a.Text[1:]
		}
	}
	if !strings.HasPrefix(option, "--") && len(option) > 1 && strings.Trim(option[1:], letters) == "" && letters != "" {
		return alike
	}
	return like
}

func before(option string) string {
	name, _, _ := strings.Cut(option, "=")
	return name
}

// mentions reports whether a text, such as a program for an interpreter, has the words of a rule in their order.
func mentions(code string, words []string) bool {
	for _, w := range words {
		i := strings.Index(code, w)
		if i < 0 {
			return false
		}
		code = code[i+len(w):]
	}
	return true
}
