package guard

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// BeforeTool returns the answer to the runtime's hook before each tool call: to ask the user, or an empty object. The hook
// also runs for calls without an ask, in the mode acceptEdits and for calls that the user's settings allow. The result is
// marshalled as JSON.
func (g Guard) BeforeTool(raw json.RawMessage) any {
	var q struct {
		Input struct {
			Tool  string          `json:"tool_name"`
			Input json.RawMessage `json:"tool_input"`
			Mode  session.Mode    `json:"permission_mode"`
		} `json:"input"`
	}
	if json.Unmarshal(raw, &q) != nil {
		return askFirst("Always asked: parley does not understand what the tool would do.")
	}
	in := q.Input
	// In plan mode the runtime changes only the plan.
	if in.Mode == session.ModeBypass || in.Mode == session.ModePlan {
		return struct{}{}
	}
	use := call{Tool: in.Tool, Input: in.Input}
	switch kind := toolview.Describe(in.Tool, nil, "").Kind; kind {
	case toolview.Edit:
		p := g.policy(nil)
		for _, ask := range asksOf(kind, use) {
			if why := p.Guarded(ask.Path); why != "" && !g.isRuntimeFile(ask.Path) {
				return askFirst(why)
			}
		}
	case toolview.Command:
		for _, ask := range asksOf(kind, use) {
			if in.Mode == session.ModeAcceptEdits && changesFiles(ask.Command) {
				return askFirst("In this mode edits are free, and commands that change files are asked.")
			}
		}
	}
	return struct{}{}
}

// askFirst returns the answer that makes the runtime ask the user.
func askFirst(why string) any {
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": "PreToolUse", "permissionDecision": "ask",
		"permissionDecisionReason": why}}
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
