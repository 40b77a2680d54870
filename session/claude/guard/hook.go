package guard

import (
	"encoding/json"
	"path/filepath"

	"parley/session"
	"parley/session/permission"
	"parley/session/toolview"
)

// Verdict is parley's answer to the runtime's hook before a tool call: [permission.Deny], [permission.Ask], [permission.Allow],
// or "" to leave the call to the runtime.
type Verdict struct {
	Ruling permission.Ruling
	// Reason explains it, to the model with a denial, else to the user.
	Reason string
	// Run is the text that runs in place of an allowed command, "" where the command runs as it is.
	Run string

	input string // the call's input with Run in it
}

// NotUnderstood is the verdict on a hook that cannot be read.
var NotUnderstood = Verdict{Ruling: permission.Ask, Reason: "Always asked: parley does not understand what the tool would do."}

// Reply returns the answer in the form of the runtime, to be marshalled as JSON.
func (v Verdict) Reply() any {
	if v.Ruling == "" {
		return struct{}{}
	}
	out := map[string]any{"hookEventName": "PreToolUse", "permissionDecision": string(v.Ruling)}
	if v.Reason != "" {
		out["permissionDecisionReason"] = v.Reason
	}
	if v.input != "" {
		out["updatedInput"] = json.RawMessage(v.input)
	}
	return map[string]any{"hookSpecificOutput": out}
}

// BeforeTool returns the verdict on a tool call before the runtime decides about it. The runtime asks it about every call,
// also where it would not ask the user: for reads in the project, for commands that it takes for harmless, for what the
// user's own settings allow, and in every mode.
func (g Guard) BeforeTool(c Call) Verdict {
	kind, asks, p := c.kind(), g.asks(c), g.policy(c)
	switch {
	case c.Mode == session.ModeBypass:
		p.Mode = c.Mode
	case kind != toolview.Edit: // in plan mode the runtime asks about them itself
		p.Mode = session.ModeDefault
	}
	if len(asks) == 0 {
		if c.Mode == session.ModeBypass && g.Rules.Locked == "" {
			return Verdict{}
		}
		return NotUnderstood
	}
	ask := Verdict{}
	for _, a := range asks {
		d := p.Decide(kind, a)
		if d.Ruling == permission.Deny && (d.Rule != nil || kind == toolview.Edit && !g.isRuntimeFile(a.Path)) {
			return Verdict{Ruling: permission.Deny, Reason: d.Reason}
		}
		if ask.Ruling == "" {
			ask = g.unlessDenied(p, kind, c, a, d)
		}
	}
	return ask
}

// unlessDenied returns the verdict on a call that no rule denies. What changes more than the mode says is asked, and a command
// never is the runtime's to judge.
func (g Guard) unlessDenied(p permission.Policy, kind toolview.Kind, c Call, a session.PermissionAsk, d permission.Decision) Verdict {
	switch {
	case kind == toolview.Ask, kind == toolview.Plan:
		return Verdict{}
	case d.Ruling == permission.Ask && d.Rule != nil: // in bypassPermissions too: a rule that denies may be about the call
		return Verdict{Ruling: permission.Ask, Reason: d.Reason}
	case g.Rules.Locked != "":
		return Verdict{Ruling: permission.Ask, Reason: g.Rules.Locked}
	case c.isCommand():
		return g.command(p, c, a, d)
	case c.Mode == session.ModeBypass:
		return Verdict{}
	case kind == toolview.Edit && (c.Mode == session.ModePlan || g.isRuntimeFile(a.Path)):
		return Verdict{}
	case kind == toolview.Edit:
		if why := p.Guarded(a.Path); why != "" {
			return Verdict{Ruling: permission.Ask, Reason: why}
		}
	case kind != toolview.Fetch && kind != toolview.MCP && c.Client == "":
		return Verdict{}
	}
	if p.Mode = c.Mode; d.Ruling == permission.Ask && p.Decide(kind, a).Ruling == permission.Ask && g.allowsItself() {
		return Verdict{Ruling: permission.Ask, Reason: d.Reason}
	}
	return Verdict{}
}

// isRuntimeFile reports whether a file is a plan or a project memory of the runtime. It follows links.
func (g Guard) isRuntimeFile(path string) bool {
	if g.Kept == "" {
		return false
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	home := g.Kept
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	for _, name := range []string{"plans", "projects"} {
		if rel, err := filepath.Rel(filepath.Join(home, name), path); err == nil && filepath.IsLocal(rel) && filepath.Ext(rel) == ".md" {
			return true
		}
	}
	return false
}
