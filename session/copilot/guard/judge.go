package guard

import (
	"cmp"
	"encoding/json"

	"parley/session"
	"parley/session/permission"
	"parley/session/process/scope"
	"parley/session/toolview"
)

// Guard decides by parley's rules what the runtime may do in a session without asking the user. Its methods may read the
// disk. It is a value, safe for concurrent use.
type Guard struct {
	scope.Scope
	// Mode is the session's mode.
	Mode session.Mode
	// Servers are the MCP servers of the session, Client the names of the tools that parley provides.
	Servers, Client []string
	// Wandering reports whether the runtime's commands share a shell, as in runtimes of protocol 2. What earlier ones have left there is
	// not known, so that no command runs unasked.
	Wandering bool
}

// Judgement is the result of parley's rules for a call.
type Judgement struct {
	permission.Decision
	// Rules are the rules to offer with an ask.
	Rules []session.Rule
}

// The reasons for which a command is asked about although its rules allow it.
const (
	unprintedReason = "Asked: parley would run this line only as it has read it, and this runtime runs it as the model wrote it."
	wanderingReason = "Asked: the command runs in the shell of earlier ones, which may have changed what it does."
)

// Judge rules on a call as it stands. A command line that may run only as something else is asked about, and what has replaced a
// line is allowed only if it is just what the policy makes of the line now.
func (g Guard) Judge(c Call) Judgement {
	if c.Written != "" {
		written := c
		written.Command, written.Written = c.Written, ""
		if j := g.rule(written); j.Ruling == permission.Allow && j.Run == c.Command {
			return j
		}
	}
	j := g.rule(c)
	if j.Ruling == permission.Allow && j.Run != "" && j.Run != c.Command {
		return Judgement{Decision: permission.Decision{Ruling: permission.Ask, Reason: unprintedReason}}
	}
	return j
}

// rule rules on a call by each of its files; the strictest ruling holds. What it allows may have to run as something else.
func (g Guard) rule(c Call) Judgement {
	if c.Own {
		// Only a rule that denies stops these.
		d := g.policy(c).Decide(toolview.Plan, session.PermissionAsk{Tool: c.Tool, Input: c.Input})
		return Judgement{Decision: d}
	}
	p, asks := g.policy(c), c.asks(g)
	var j Judgement
	for i, ask := range asks {
		d := p.Decide(c.Kind, ask)
		if d.Ruling == permission.Deny {
			return Judgement{Decision: d}
		}
		if i == 0 || d.Ruling == permission.Ask && j.Ruling == permission.Allow {
			j.Decision = d
		}
		if c.Kind == toolview.Edit && j.Reason == "" && j.Ruling == permission.Ask {
			j.Reason = p.Guarded(ask.Path)
		}
	}
	if g.Wandering && c.Kind == toolview.Command && j.Ruling == permission.Ask && j.Rule == nil {
		j.Reason = wanderingReason
		return j
	}
	if c.Always != "" && g.Mode != session.ModeBypass || c.Always == managedReason {
		j.Ruling, j.Reason, j.Rule = permission.Ask, c.Always, nil
		return j
	}
	if j.Ruling == permission.Ask {
		var more []string
		for _, ask := range asks[1:] {
			more = append(more, ask.Path)
		}
		j.Rules = p.SuggestRules(c.Kind, asks[0], more...)
	}
	return j
}

// Ask returns what the user is asked about a call.
func (g Guard) Ask(c Call, j Judgement) *session.PermissionAsk {
	ask := c.asks(g)[0]
	ask.Rules, ask.Parts, ask.Reason = j.Rules, j.Parts, cmp.Or(j.Reason, c.purpose())
	ask.Caution, ask.Dangerous = j.Care.Why, j.Care.Danger
	if len(c.Edits) > 0 {
		ask.Edit, ask.More = &c.Edits[0], c.Edits[1:]
	}
	return &ask
}

// asks returns an ask for each file of a call, else one for the call itself.
func (c Call) asks(g Guard) []session.PermissionAsk {
	one := session.PermissionAsk{Tool: c.Tool, Input: c.Input, Command: c.Command}
	var paths []string
	for _, path := range c.Paths {
		paths = append(paths, g.Absolute(path, ""))
	}
	for _, e := range c.Edits {
		paths = append(paths, g.Absolute(e.Path, ""))
	}
	seen := map[string]bool{}
	var all []session.PermissionAsk
	for _, path := range paths {
		if path == "" || seen[path] {
			continue
		}
		seen[path] = true
		ask := one
		ask.Path = path
		all = append(all, ask)
	}
	if len(all) == 0 {
		return []session.PermissionAsk{one}
	}
	return all
}

// purpose returns why the model runs a command or fetches a page, in its own words.
func (c Call) purpose() string {
	if c.Purpose == c.Command {
		return ""
	}
	return c.Purpose
}

// policy returns parley's policy for a call.
func (g Guard) policy(c Call) permission.Policy {
	base, shell := "", ""
	if len(g.Dirs) > 0 && !g.Wandering {
		base = g.Dirs[0]
	}
	if (c.Tool == "bash" || c.Tool == "local_shell") && !g.Wandering {
		shell = "bash"
	}
	return g.Policy(g.Mode, base, shell)
}

// Verdict is parley's answer to the runtime's hook before a tool call: [permission.Deny], [permission.Ask], or "" to leave the
// call to its permission request.
type Verdict struct {
	Ruling permission.Ruling
	// Reason explains it, to the model with a denial, else to the user.
	Reason string
	// Args are the arguments with which the call goes on to its permission request, nil for its own.
	Args json.RawMessage
}

// BeforeTool returns the verdict on a call before the runtime decides about it. Calls that the runtime runs without asking are
// asked by the hook, unless parley allows them. An allowed command line gets the text that has to run in its place, which the
// permission request then has: [Guard.Judge] decides on that, so that nothing depends on what the runtime makes of the hook.
func (g Guard) BeforeTool(c Call) Verdict {
	j := g.rule(c)
	switch {
	case j.Ruling == permission.Deny:
		return Verdict{Ruling: permission.Deny, Reason: cmp.Or(j.Reason, permission.PlanModeReason)}
	case j.Ruling == permission.Ask && c.Unasked:
		return Verdict{Ruling: permission.Ask, Reason: cmp.Or(j.Reason, "The runtime would run this tool without asking.")}
	case j.Ruling == permission.Allow && j.Run != "":
		if args, ok := WithCommand(c.Input, j.Run); ok {
			return Verdict{Args: args}
		}
	}
	return Verdict{}
}

// Reply returns the output of the hook, to be marshalled as JSON; nil for none.
func (v Verdict) Reply() any {
	switch {
	case v.Args != nil:
		return map[string]json.RawMessage{"modifiedArgs": v.Args}
	case v.Ruling == "":
		return nil
	}
	return map[string]string{"permissionDecision": string(v.Ruling), "permissionDecisionReason": v.Reason}
}

// File returns what a call may change in files, without its turn. It reports false for a call that only reads, that names no
// file, or that cannot be read.
func (g Guard) File(c Call) (session.FileCall, bool) {
	f := session.FileCall{Call: c.ID, Tool: c.Tool, Input: c.Input}
	if c.ID == "" {
		return f, false
	}
	switch c.Kind {
	case toolview.Command:
		f.Command = cmp.Or(c.Written, c.Command)
	case toolview.Edit:
		for _, ask := range c.asks(g) {
			if ask.Path != "" {
				f.Paths = append(f.Paths, ask.Path)
			}
		}
	}
	return f, scope.Touches(f, func() permission.Policy { return g.policy(c) })
}
