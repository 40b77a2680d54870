package permission

import (
	"slices"

	"parley/session"
	"parley/session/permission/program"
	"parley/session/permission/shell"
	"parley/session/toolview"
)

// Care lists the dangers to think about before a call runs.
type Care = program.Care

// Decision is the ruling of the policy on one call.
type Decision struct {
	Ruling Ruling
	// Reason explains the decision, to the model with Deny, to the user with Ask; it may be empty.
	Reason string
	// Rule is the rule that decided, nil if none did: the mode, or what parley asks about in any case.
	Rule *Rule
	// Parts are the parts of a command line, each as it was judged.
	Parts []session.CommandPart
	// Run is the text that has to run in place of an allowed command line, "" where the line may run as it is: the print of what
	// was judged, which every shell reads as the judge did.
	Run string
	// Care lists the dangers to think about before a command line that is asked about runs.
	Care Care
}

// Decide rules on one call. kind is the type of the tool, ask the question that would be put to the user; its Command or
// Path must be filled in for tools that have one, its Input for all others. Deny comes before ask, and ask before allow; in
// the mode that bypasses permissions only a rule that denies stops a call, and rules that cannot be read make it asked.
func (p Policy) Decide(kind toolview.Kind, ask session.PermissionAsk) Decision {
	d := p.remembering().decide(kind, ask)
	if d.Ruling == Ask && kind == toolview.Command {
		d.Care = p.careFor(ask.Command)
	}
	return d
}

// careFor returns what there is to think about before a command line runs, the gravest of its calls.
func (p Policy) careFor(text string) (found Care) {
	dialect, _ := dialectOf(p.Shell)
	line, err := shell.Read(dialect, text)
	if err != nil {
		return program.CareForText(text)
	}
	line.Each(func(c *shell.Command, piped bool) {
		if c.Kind == shell.Call {
			found = found.Or(program.CareFor(c.Words))
			if (piped || c.Fed) && c.Words[0].Known && program.ReadsInput(c.Words) {
				found = found.Or(program.Care{Why: program.Unknown, Danger: true})
			}
		}
	})
	return found
}

func (p Policy) decide(kind toolview.Kind, ask session.PermissionAsk) Decision {
	ban := p.banned(kind, ask)
	if ban.ruling == Deny {
		return Decision{Ruling: Deny, Rule: ban.rule, Reason: refusal(ban.rule)}
	}
	if p.Mode == session.ModeBypass {
		if ban.unsure {
			return Decision{Ruling: Ask, Rule: ban.rule, Reason: "Asked: the rule " + ban.rule.String() + " denies some calls, and this may be one."}
		}
		if p.Locked != "" && kind != toolview.Ask && kind != toolview.Plan { // a rule that denies may be what cannot be read
			return Decision{Ruling: Ask, Reason: p.Locked}
		}
		d := Decision{Ruling: Allow}
		if ban.seen != nil { // what runs is what was compared with the rules
			d.Run = runOf(ask.Command, ban.seen.line)
		}
		return d
	}
	if kind == toolview.Ask || kind == toolview.Plan {
		return Decision{Ruling: Allow}
	}
	d := p.allowed(kind, ask)
	if d.Ruling == Ask && p.Mode == session.ModePlan && kind != toolview.Read && kind != toolview.Search {
		d.Ruling, d.Reason, d.Rule = Deny, PlanModeReason, nil
	}
	if d.Ruling == Deny {
		return d
	}
	if ban.rule != nil {
		d.Ruling, d.Rule, d.Reason = Ask, ban.rule, "Asked: the rule "+ban.rule.String()+" says so."
		if ban.unsure {
			d.Reason = "Asked: the rule " + ban.rule.String() + " denies some calls, and this may be one."
		}
	}
	if p.Locked != "" {
		d.Ruling, d.Rule, d.Reason = Ask, nil, p.Locked
		for i := range d.Parts {
			d.Parts[i].Allowed, d.Parts[i].Why = false, ""
		}
	}
	return d
}

// runOf returns the text to run in place of a line that was judged, "" where the line may run as it is.
func runOf(text string, line shell.Line) string {
	if run := shell.Print(line); !shell.Same(text, run) {
		return run
	}
	return ""
}

// refusal returns what the model reads when a rule denies a call.
func refusal(r *Rule) string {
	return "Refused: the rule " + r.String() + " " + r.kept() + " denies this. Do not try to do the same in another way; say what you need instead."
}

// allowed rules on a call by the mode, what parley allows by itself, and the rules that allow.
func (p Policy) allowed(kind toolview.Kind, ask session.PermissionAsk) Decision {
	switch kind {
	case toolview.Command:
		return p.commandDecision(ask.Command)
	case toolview.Edit:
		if p.Mode == session.ModePlan {
			return Decision{Ruling: Ask}
		}
		return p.editDecision(ask.Path)
	case toolview.Read, toolview.Search:
		return p.readDecision(ask.Path)
	}
	if p.Mode == session.ModePlan || p.Locked != "" {
		return Decision{Ruling: Ask}
	}
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Ruling == Allow && r.allows(kind, ask) {
			return Decision{Ruling: Allow, Rule: r}
		}
	}
	return Decision{Ruling: Ask}
}

// allows reports whether a rule that allows covers a call that has neither a command nor a file.
func (r *Rule) allows(kind toolview.Kind, ask session.PermissionAsk) bool {
	switch r.Subject {
	case OnTool:
		return r.Pattern == ask.Tool
	case OnServer:
		server, tool, ok := serverOf(ask.Tool)
		return ok && (r.Pattern == server || r.Pattern == server+"/"+tool)
	case OnFetch:
		return kind == toolview.Fetch && domainAllows(r.Pattern, ask.Input)
	}
	return false
}

// Ruled reports whether one of the session's rules, or parley itself, allows the call in any mode but those that allow or
// refuse by themselves.
func (p Policy) Ruled(kind toolview.Kind, ask session.PermissionAsk) bool {
	p.Mode = session.ModeDefault
	if kind == toolview.Read || kind == toolview.Search {
		return p.Decide(kind, ask).Ruling == Allow && p.fileRule(OnRead, ask.Path) != nil
	}
	return p.Decide(kind, ask).Ruling == Allow
}

// Covers reports whether the call would run without asking once the rules are ones of the session.
func (p Policy) Covers(rules []Rule, kind toolview.Kind, ask session.PermissionAsk) bool {
	return p.with(rules...).Decide(kind, ask).Ruling == Allow
}

// with returns the policy with further rules.
func (p Policy) with(rules ...Rule) Policy {
	p.Rules = slices.Concat(p.Rules, rules)
	return p
}
