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

// BeforeTool answers the runtime's question before it uses a tool, which comes also where the runtime would not ask the
// user: in the mode acceptEdits, and where settings of the user allow a call. The answer is to ask the user, or nothing.
// The result is marshalled as JSON.
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
	// In plan mode the runtime itself lets nothing be changed but the plan.
	if in.Mode == session.ModeBypass || in.Mode == session.ModePlan {
		return struct{}{}
	}
	use := call{Tool: in.Tool, Input: in.Input}
	switch kind := toolview.Describe(in.Tool, nil, "").Kind; kind {
	case toolview.Edit:
		p := g.policy(nil)
		for _, ask := range asksOf(kind, use) {
			if why := p.Guarded(ask.Path); why != "" && !g.own(ask.Path) {
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

// askFirst is the answer that has the runtime ask the user.
func askFirst(why string) any {
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": "PreToolUse", "permissionDecision": "ask",
		"permissionDecisionReason": why}}
}

// own reports whether a file is one of those that the runtime keeps for itself: plans, and what it remembers of a project.
// It looks at the place that the path really leads to, where it can.
func (g Guard) own(path string) bool {
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

// changers are the commands that the runtime takes for edits in the mode acceptEdits, and others of their sort.
var changers = []string{"mkdir", "touch", "rm", "rmdir", "mv", "cp", "sed", "ln", "tee", "install", "dd", "truncate", "rsync", "chmod", "chown",
	"patch", "mkfifo", "mknod", "unlink", "shred", "tar", "unzip", "new-item", "set-content", "add-content", "out-file", "remove-item",
	"copy-item", "move-item", "clear-content", "rename-item", "ni", "sc", "ac", "ri", "ci", "mi", "del", "erase", "move", "copy", "ren", "md", "rd", "cpi"}

// discarded are redirections that write to no file.
var discarded = regexp.MustCompile(`(?:[012]?>&[012]|[012&]?>[ \t]*/dev/null)([ \t\n]|$)`)

// changesFiles reports whether a command line may change files by itself: it redirects, or has the name of such a command
// in it, wherever. Quotes and backslashes do not hide one.
func changesFiles(line string) bool {
	line = discarded.ReplaceAllString(line, "$1")
	line = strings.NewReplacer(`"`, "", "'", "", `\`, "", "`", " ").Replace(strings.ToLower(line))
	if strings.Contains(line, ">") {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return r < '-' || r > '9' && r < 'A' || r > 'z' || r == '/' }),
		func(w string) bool { return slices.Contains(changers, w) })
}
