package guard

import (
	"path/filepath"

	"parley/session"
	"parley/session/permission"
	"parley/session/toolview"
)

// Verdict is parley's answer to the runtime's hook before a tool call: [permission.Deny], [permission.Ask], or "" to leave
// the call to the runtime.
type Verdict struct {
	Ruling permission.Ruling
	// Reason is why: for the model with a denial, else for the user.
	Reason string
}

// NotUnderstood is the verdict on a hook that cannot be read.
var NotUnderstood = Verdict{permission.Ask, "Always asked: parley does not understand what the tool would do."}

// Reply returns the answer in the form of the runtime, to be marshalled as JSON.
func (v Verdict) Reply() any {
	if v.Ruling == "" {
		return struct{}{}
	}
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": "PreToolUse", "permissionDecision": string(v.Ruling),
		"permissionDecisionReason": v.Reason}}
}

// BeforeTool returns the verdict on a tool call before the runtime decides about it. The runtime asks it about every call,
// also where it would not ask the user: for reads in the project, for commands that it takes for harmless, for what the
// user's own settings allow, and in every mode.
func (g Guard) BeforeTool(c Call) Verdict {
	kind, asks, p := c.kind(), c.asks(), g.policy(c)
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
			return Verdict{permission.Deny, d.Reason}
		}
		if ask.Ruling == "" {
			ask = g.mustAsk(p, kind, c, a, d)
		}
	}
	return ask
}

// mustAsk returns the verdict that makes the runtime ask about a call which it may let pass, and which no rule denies.
func (g Guard) mustAsk(p permission.Policy, kind toolview.Kind, c Call, a session.PermissionAsk, d permission.Decision) Verdict {
	switch {
	case kind == toolview.Ask, kind == toolview.Plan:
		return Verdict{}
	case d.Ruling == permission.Ask && d.Rule != nil: // in bypassPermissions too: a rule that denies may be about the call
		return Verdict{permission.Ask, d.Reason}
	case g.Rules.Locked != "":
		return Verdict{permission.Ask, g.Rules.Locked}
	case c.Mode == session.ModeBypass:
		return Verdict{}
	case kind == toolview.Edit && c.Mode != session.ModePlan:
		if why := p.Guarded(a.Path); why != "" && !g.isRuntimeFile(a.Path) {
			return Verdict{permission.Ask, why}
		}
	case kind == toolview.Command && c.Mode == session.ModeAcceptEdits && d.Ruling != permission.Allow && p.Writes(a.Command):
		return Verdict{permission.Ask, "In this mode edits are free, and commands that change files are asked."}
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
