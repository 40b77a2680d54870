package agentfiles

import (
	"path"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/agentfiles/head"
)

// maxPrompt bounds the prompt of an agent or a prompt file, in bytes. Copilot reads 30,000 characters.
const maxPrompt = 128 << 10

// validName matches the names of agents and prompts.
var validName = lazyregexp.New(`^[\pL\pN][\pL\pN_.:-]*$`)

func isName(s string) bool { return len(s) <= head.MaxName && validName.MatchString(s) }

// agentKeys are the keys of an agent's head that are read, and those that Copilot, VS Code and Claude Code read besides: the
// runtime that an agent's file belongs to may use them.
var agentKeys = []string{"name", "description", "tools", "disallowed-tools", "model", "effort", "reasoning-effort", "mcp-servers",
	"skills", "infer", "user-invocable", "disable-model-invocation",
	"argument-hint", "target", "metadata", "model-policy", "handoffs", "agents", "color", "permission-mode", "hooks", "max-turns",
	"memory", "background", "isolation", "initial-prompt", "license"}

// agentOf reads the file of an agent. name is that of the file without its ending. It returns nil for a file that has no head,
// and with faults one of which is deadly.
func agentOf(data []byte, name string) (*session.CustomAgent, []head.Fault) {
	h, body := head.Read(data)
	line := h.Line
	if line == 0 {
		return nil, nil
	}
	a := &session.CustomAgent{Name: name, FileNamed: true, About: h.Text("description"), Prompt: strings.TrimSpace(body)}
	switch given := h.Text("name"); {
	case isName(given):
		a.Name, a.FileNamed = given, false
	case given != "":
		a.Title = given
	}
	if !isName(a.Name) {
		h.Die(line, "the name must consist of letters, digits, - and _: add a line such as name: reviewer")
	}
	if a.Tools = h.List("tools"); slices.Contains(a.Tools, "*") {
		a.Tools = nil
	}
	a.Denied = h.List("disallowed-tools")
	if models := h.List("model"); len(models) > 0 && !strings.EqualFold(models[0], "inherit") {
		a.Model, a.Others = models[0], slices.Clip(models[1:])
	}
	if len(a.Others) == 0 {
		a.Others = nil
	}
	a.Effort = h.Text("effort", "reasoning-effort")
	a.Servers = h.Servers("mcp-servers")
	a.Skills = h.List("skills")
	a.Hidden = h.Truth(false, "disable-model-invocation") || !h.Truth(true, "infer")
	a.Unlisted = !h.Truth(true, "user-invocable")
	h.Unknown(agentKeys)
	switch {
	case head.Deadly(h.Faults): // the head could not be read
	case a.About == "":
		h.Die(line, "add a description: it says when to use the agent")
	case len(a.Prompt) > maxPrompt:
		h.Die(line, "the text is too long: at most 128 KiB are sent")
	case a.Prompt == "":
		h.Warn(line, "there is no text behind the head that tells the agent what to do")
	}
	if head.Deadly(h.Faults) {
		return nil, h.Faults
	}
	return a, h.Faults
}

// agentName returns the name that a file gives its agent, "" for a file that cannot be one. rel is its path in the folder of
// agents, with slashes: sub/x.agent.md is "sub--x", as Copilot names it.
func agentName(rel string) string {
	lower := strings.ToLower(rel)
	if strings.HasSuffix(lower, ".prompt.md") || strings.EqualFold(path.Base(rel), "README.md") {
		return ""
	}
	for _, ending := range []string{".agent.md", ".md"} {
		if strings.HasSuffix(lower, ending) {
			return strings.ReplaceAll(rel[:len(rel)-len(ending)], "/", "--")
		}
	}
	return ""
}

// promptKeys are the keys of a prompt's head that are read, and those that VS Code reads besides.
var promptKeys = []string{"name", "description", "argument-hint", "agent", "mode", "model", "tools", "metadata"}

// promptOf reads the file of a prompt, whose head may be missing.
func promptOf(data []byte, name string) (*session.CustomPrompt, []head.Fault) {
	h, body := head.Read(data)
	p := &session.CustomPrompt{Name: name, About: h.Text("description"), Arguments: h.Text("argument-hint"), Text: strings.TrimSpace(body)}
	if given := h.Text("name"); isName(given) {
		p.Name = given
	}
	h.Unknown(promptKeys)
	switch {
	case head.Deadly(h.Faults):
	case !isName(p.Name):
		h.Die(1, "the file's name must consist of letters, digits, - and _")
	case p.Text == "":
		h.Die(max(h.Line, 1), "there is no text behind the head")
	case len(p.Text) > maxPrompt:
		h.Die(1, "the text is too long: at most 128 KiB are sent")
	}
	if head.Deadly(h.Faults) {
		return nil, h.Faults
	}
	return p, h.Faults
}

// promptName returns the name that a file gives its prompt, "" for a file that is none.
func promptName(rel string) string {
	const ending = ".prompt.md"
	if len(rel) <= len(ending) || !strings.EqualFold(rel[len(rel)-len(ending):], ending) {
		return ""
	}
	return strings.ReplaceAll(rel[:len(rel)-len(ending)], "/", "--")
}
