package permission

import (
	"slices"
	"strings"
	"time"

	"parley/session"
)

// Subject is the type of thing that a rule is about.
type Subject string

// The subjects of rules.
const (
	OnCommand Subject = "command" // command lines, by their first words
	OnEdit    Subject = "edit"    // files that are changed or created, by a glob of their path
	OnRead    Subject = "read"    // files and directories that are read or searched, by a glob of their path
	OnFetch   Subject = "fetch"   // pages, by the domain of their URL
	OnServer  Subject = "mcp"     // tools of an MCP server
	OnTool    Subject = "tool"    // every call of a tool
	// OnScript is about one line that runs scripts, while these are unchanged. Only a question offers it, for the session.
	OnScript Subject = "script"
)

var subjects = []Subject{OnCommand, OnEdit, OnRead, OnFetch, OnServer, OnTool}

// Origin is the place in which a rule is kept.
type Origin string

// The origins, in the order in which rules are listed.
const (
	FromPolicy  Origin = "policy"  // the administrator's file
	FromGlobal  Origin = "global"  // the user's file for every project
	FromProject Origin = "project" // the user's file for this project
	FromClaude  Origin = "claude"  // settings of Claude Code
	FromSession Origin = "session" // answers in this session
	FromFlag    Origin = "flag"    // options of the command line, for one run
	FromParley  Origin = "parley"  // built in: reads that change nothing
)

// Rule says what happens with the calls that it covers. The text of a rule is its subject and its pattern:
//
//	command go test *     the words, then any arguments that start and write nothing else
//	command make lint     exactly these words
//	edit src/**           files below src in the session's directory; ~/ and / begin other paths
//	read /etc/hosts       one file
//	fetch example.com     pages of this domain; *.example.com also those of its subdomains
//	mcp github            every tool of an MCP server; github/list_issues only one
//	tool WebSearch        every call of a tool
type Rule struct {
	Ruling  Ruling
	Subject Subject
	Pattern string
	Origin  Origin
	// Number is the place of the rule among those of its origin, 1-based; 0 if unknown.
	Number int
	// Since is the time at which the rule was made, zero if unknown.
	Since time.Time
}

// ParseRule reads the text of a rule. The rule allows, comes from nowhere and has no date. The error says what is wrong
// with the text, for the user who wrote it.
func ParseRule(text string) (Rule, error) {
	word, pattern, _ := strings.Cut(strings.TrimSpace(text), " ")
	r := Rule{Ruling: Allow, Subject: Subject(word), Pattern: strings.TrimSpace(pattern)}
	if !slices.Contains(subjects, r.Subject) {
		return Rule{}, noSubject(text, word)
	}
	if err := r.check(); err != nil {
		return Rule{}, err
	}
	return r, nil
}

// Kept are the rules that are kept outside of sessions.
type Kept struct {
	// Rules are those of the administrator, of the user and of the project, in this order.
	Rules []Rule
	// Locked is [Policy.Locked].
	Locked string
}

// String returns the text of the rule, which [ParseRule] reads.
func (r Rule) String() string { return string(r.Subject) + " " + r.Pattern }

// Offer returns rules that are granted together as an ask offers them.
func Offer(rules ...Rule) session.Rule {
	offer := session.Rule{Scopes: []session.Scope{session.ScopeSession, session.ScopeProject, session.ScopeGlobal}}
	texts, labels := make([]string, len(rules)), make([]string, len(rules))
	for i, r := range rules {
		texts[i], labels[i] = r.String(), r.Label()
		offer.Names = append(offer.Names, r.Name())
		offer.Unchanged = append(offer.Unchanged, r.scriptNames()...)
		if scopes := r.scopes(); len(scopes) < len(offer.Scopes) {
			offer.Scopes = scopes
		}
	}
	offer.Text, offer.Label = strings.Join(texts, "\n"), strings.Join(labels, ", ")
	return offer
}

// Granted returns the rules of [Grants].
func Granted(t *session.Transcript) []Rule {
	var rules []Rule
	for _, g := range Grants(t) {
		rules = append(rules, g.Rule)
	}
	return rules
}

// GrantedBy returns the rules that an answer grants for a scope: all that were offered together, or none.
func GrantedBy(ask *session.PermissionAsk, a session.Answer, scope session.Scope) []Rule {
	if ask == nil || a.Decision != session.Allow || a.Scope != scope {
		return nil
	}
	kept := a.Rule
	if kept == nil {
		if len(ask.Rules) == 0 {
			return nil
		}
		kept = &ask.Rules[0]
	}
	if !slices.Contains(kept.Lasts(), scope) {
		return nil
	}
	rules := ReadRules(*kept)
	for i := range rules {
		if rules[i].Subject == OnScript && scope != session.ScopeSession {
			return nil
		}
		rules[i].Origin = Origin(scope)
	}
	return rules
}
