package agentfiles

import (
	"path"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/session"
)

// maxPrompt bounds the prompt of an agent or a prompt file, in bytes. Copilot reads 30,000 characters.
const maxPrompt = 128 << 10

// validName matches the names of agents and prompts.
var validName = lazyregexp.New(`^[\pL\pN][\pL\pN_.:-]*$`)

func isName(s string) bool { return len(s) <= maxName && validName.MatchString(s) }

// agentKeys are the keys of an agent's head that are read, and those that Copilot, VS Code and Claude Code read besides: the
// runtime that an agent's file belongs to may use them.
var agentKeys = []string{"name", "description", "tools", "disallowed-tools", "model", "effort", "reasoning-effort", "mcp-servers",
	"skills", "infer", "user-invocable", "disable-model-invocation",
	"argument-hint", "target", "metadata", "model-policy", "handoffs", "agents", "color", "permission-mode", "hooks", "max-turns",
	"memory", "background", "isolation", "initial-prompt", "license"}

// agentOf reads the file of an agent. name is that of the file without its ending. It returns nil for a file that has no head,
// and with faults one of which is deadly.
func agentOf(data []byte, name string) (*session.CustomAgent, []fault) {
	raw, body, line, is := split(data)
	if line == 0 {
		return nil, nil
	}
	if !is {
		return nil, []fault{{1, "the head has no end: add a line with --- behind it", true}}
	}
	h := parse(raw, line)
	a := &session.CustomAgent{Name: name, FileNamed: true, About: h.text("description"), Prompt: strings.TrimSpace(body)}
	switch given := h.text("name"); {
	case isName(given):
		a.Name, a.FileNamed = given, false
	case given != "":
		a.Title = given
	}
	if !isName(a.Name) {
		h = h.dies(line, "the name must consist of letters, digits, - and _: add a line such as name: reviewer")
	}
	if a.Tools = h.list("tools"); slices.Contains(a.Tools, "*") {
		a.Tools = nil
	}
	a.Denied = h.list("disallowed-tools")
	if models := h.list("model"); len(models) > 0 && !strings.EqualFold(models[0], "inherit") {
		a.Model, a.Others = models[0], slices.Clip(models[1:])
	}
	if len(a.Others) == 0 {
		a.Others = nil
	}
	a.Effort = h.text("effort", "reasoning-effort")
	a.Servers = h.servers("mcp-servers")
	a.Skills = h.list("skills")
	a.Hidden = h.truth(false, "disable-model-invocation") || !h.truth(true, "infer")
	a.Unlisted = !h.truth(true, "user-invocable")
	h.unknown(agentKeys)
	switch {
	case deadly(h.faults): // the head could not be read
	case a.About == "":
		h = h.dies(line, "add a description: it says when to use the agent")
	case len(a.Prompt) > maxPrompt:
		h = h.dies(line, "the text is too long: at most 128 KiB are sent")
	case a.Prompt == "":
		h.faults = append(h.faults, fault{line, "there is no text behind the head that tells the agent what to do", false})
	}
	if deadly(h.faults) {
		return nil, h.faults
	}
	return a, h.faults
}

func deadly(faults []fault) bool {
	return slices.ContainsFunc(faults, func(f fault) bool { return f.deadly })
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
func promptOf(data []byte, name string) (*session.CustomPrompt, []fault) {
	raw, body, line, is := split(data)
	if line > 0 && !is {
		return nil, []fault{{1, "the head has no end: add a line with --- behind it", true}}
	}
	h := parse(raw, max(line, 1))
	p := &session.CustomPrompt{Name: name, About: h.text("description"), Arguments: h.text("argument-hint"), Text: strings.TrimSpace(body)}
	if given := h.text("name"); isName(given) {
		p.Name = given
	}
	h.unknown(promptKeys)
	switch {
	case deadly(h.faults):
	case !isName(p.Name):
		h = h.dies(1, "the file's name must consist of letters, digits, - and _")
	case p.Text == "":
		h = h.dies(max(line, 1), "there is no text behind the head")
	case len(p.Text) > maxPrompt:
		h = h.dies(1, "the text is too long: at most 128 KiB are sent")
	}
	if deadly(h.faults) {
		return nil, h.faults
	}
	return p, h.faults
}

// promptName returns the name that a file gives its prompt, "" for a file that is none.
func promptName(rel string) string {
	const ending = ".prompt.md"
	if len(rel) <= len(ending) || !strings.EqualFold(rel[len(rel)-len(ending):], ending) {
		return ""
	}
	return strings.ReplaceAll(rel[:len(rel)-len(ending)], "/", "--")
}
