package guard

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission"
	"parley/session/process/scope"
	"parley/session/toolview"
)

// Guard decides by parley's rules what the runtime may do in a session without asking the user. Its methods may read the
// disk. It is a value, safe for concurrent use.
type Guard struct {
	scope.Scope
	// Kept is the runtime's directory, "" if there is none.
	Kept string
	// Shell is the shell that the runtime runs commands with, as [Shell] returns it.
	Shell string
	// Trusted reports whether the runtime loads the settings of the repository, and so heeds what it writes there.
	Trusted bool
	// Settings are the files of settings that the runtime reads. OwnRules means that it has rules from elsewhere that deny or ask
	// about commands, or may have some.
	Settings []string
	OwnRules bool
}

// Judgement is the result of parley's rules for a permission request.
type Judgement struct {
	// Ruled reports whether a rule allows the call. Input is then the input with which it runs, and Run the text that runs in place
	// of the command, "" where the command runs as it is.
	Ruled bool
	Input json.RawMessage
	Run   string
	// Denied is the reason why a rule denies it, for the model; "" if none does.
	Denied string
	// Rules are the rules to offer: parley's own, then those of the runtime, which are Offers too.
	Rules  []session.Rule
	Offers []Offer
	// Parts are the parts of a command line, each as it was judged.
	Parts []session.CommandPart
	// Care lists the dangers to think about before.
	Care permission.Care
	// Reason explains why parley has the user asked, and Purpose why the model runs the command, in its words; both may be "".
	Reason, Purpose string
}

// Judge applies the rules of the session to a permission request of the runtime. No rule covers a malformed request.
func (g Guard) Judge(c Call) Judgement {
	if c.Tool == "" || c.Tool == "AskUserQuestion" || c.Tool == "ExitPlanMode" {
		return Judgement{}
	}
	kind, asks, p := c.kind(), g.asks(c), g.policy(c)
	bypass := c.Mode == session.ModeBypass && c.Asked == answered
	if bypass {
		p.Mode = c.Mode
	}
	j := Judgement{Ruled: len(asks) > 0 && g.answers(kind, c), Input: c.Input}
	if c.Asked != uncovered && c.Asked != answered { // these say less than why the model runs it
		j.Reason = c.Asked
	}
	for _, ask := range asks {
		d := p.Decide(kind, ask)
		if d.Ruling == permission.Deny && d.Rule != nil {
			return Judgement{Denied: d.Reason}
		}
		j.Ruled = j.Ruled && d.Ruling == permission.Allow && (bypass || c.Client != "" || p.Ruled(kind, ask))
		if j.Ruled && kind == toolview.Command {
			j.Run = d.Run
			j.Input, j.Ruled = c.running(d.Run)
		}
		if j.Reason == "" && d.Ruling == permission.Ask {
			j.Reason = d.Reason
		}
		if j.Reason == "" && kind == toolview.Edit {
			j.Reason = p.Guarded(ask.Path)
		}
		j.Parts, j.Care = append(j.Parts, d.Parts...), j.Care.Or(d.Care)
	}
	if len(asks) == 1 && g.answers(kind, c) {
		j.Rules = p.SuggestRules(kind, asks[0])
	}
	if j.Reason == "" && !j.Care.Danger && c.Client == "" { // otherwise the runtime would ask again after any grant
		j.Offers = g.offers(c)
	}
	for _, o := range j.Offers {
		j.Rules = append(j.Rules, o.Rule)
	}
	j.Purpose = c.purpose()
	return j
}

// answers reports whether parley may answer a request of the runtime by rule. What the runtime asks for safety, or by the
// user's settings or hooks, is always asked. So is a command or file for which it suggests nothing: it would ask again after
// any grant. It suggests nothing for what parley made it ask.
func (g Guard) answers(kind toolview.Kind, c Call) bool {
	if kind == toolview.Command && c.Tool != "Bash" {
		return false
	}
	if c.Asked != "" { // where the runtime names another reason, it has one of its own
		return c.reason == c.Asked
	}
	switch c.reasonType {
	case "safetyCheck", "rule", "hook":
		return false
	}
	switch kind {
	case toolview.Command, toolview.Edit, toolview.Read, toolview.Search:
		return len(c.suggestions) > 0 || c.Client != ""
	}
	return true
}

// policy returns parley's policy for a call. In the mode acceptEdits the runtime itself lets pass what it may. Shells other
// than that of the tool Bash are unknown.
func (g Guard) policy(c Call) permission.Policy {
	mode := session.ModeDefault
	if c.Mode == session.ModePlan {
		mode = c.Mode
	}
	shell := ""
	if c.Tool == "Bash" {
		shell = g.Shell
	}
	return g.Policy(mode, c.Dir, shell)
}

// Moves reports whether a call may change the directory in which later commands begin.
func (g Guard) Moves(c Call) bool {
	if c.kind() != toolview.Command {
		return false
	}
	asks, p := g.asks(c), g.policy(c)
	p.Mode = session.ModeDefault
	return len(asks) != 1 || c.Tool != "Bash" || p.Decide(toolview.Command, asks[0]).Ruling != permission.Allow ||
		slices.ContainsFunc([]string{"cd", "pushd", "popd"}, func(word string) bool { return strings.Contains(asks[0].Command, word) })
}
