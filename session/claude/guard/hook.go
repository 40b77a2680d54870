package guard

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

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
		if c.Mode == session.ModeBypass {
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
	case d.Ruling == permission.Ask && d.Rule != nil: // in bypassPermissions, a rule that denies may be about the call
		return Verdict{permission.Ask, d.Reason}
	case c.Mode == session.ModeBypass:
		return Verdict{}
	case g.Rules.Locked != "":
		return Verdict{permission.Ask, g.Rules.Locked}
	case kind == toolview.Edit && c.Mode != session.ModePlan:
		if why := p.Guarded(a.Path); why != "" && !g.isRuntimeFile(a.Path) {
			return Verdict{permission.Ask, why}
		}
	case kind == toolview.Command && c.Mode == session.ModeAcceptEdits && d.Ruling != permission.Allow && writes(p, a.Command):
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

// changers are commands that change files. The runtime allows some of them in the mode acceptEdits.
var changers = []string{"mkdir", "touch", "rm", "rmdir", "mv", "cp", "sed", "ln", "tee", "install", "dd", "truncate", "rsync", "chmod", "chown",
	"patch", "mkfifo", "mknod", "unlink", "shred", "tar", "unzip", "new-item", "set-content", "add-content", "out-file", "remove-item",
	"copy-item", "move-item", "clear-content", "rename-item", "ni", "sc", "ac", "ri", "ci", "mi", "del", "erase", "move", "copy", "ren", "md", "rd", "cpi"}

// writes reports whether a command line changes files. In an unknown shell the names in it decide.
func writes(p permission.Policy, line string) bool {
	if p.Shell == "" {
		return changesFiles(line)
	}
	return p.Writes(line)
}

// discarded matches redirections that write no file.
var discarded = regexp.MustCompile(`(?:[012]?>&[012]|[012&]?>[ \t]*/dev/null)([ \t\n]|$)`)

// changesFiles reports whether a command line contains a redirection or the name of a command that changes files. Quotes and
// backslashes do not hide a name.
func changesFiles(line string) bool {
	line = discarded.ReplaceAllString(line, "$1")
	line = strings.NewReplacer(`"`, "", "'", "", `\`, "", "`", " ").Replace(strings.ToLower(line))
	if strings.Contains(line, ">") {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return r < '-' || r > '9' && r < 'A' || r > 'z' || r == '/' }),
		func(w string) bool { return slices.Contains(changers, w) })
}
