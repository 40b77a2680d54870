package ui

import (
	"slices"
	"strings"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/compose"
	"parley/ui/lists"
)

// fieldChat answers what the field asks of the chat.
type fieldChat struct{ *Model }

// Dir returns the directory of the session.
func (c fieldChat) Dir() string { return c.dir() }

// Running reports whether a turn runs.
func (c fieldChat) Running() bool { return c.conv.Running() != nil }

// Queued reports whether prompts wait.
func (c fieldChat) Queued() bool { return len(c.conv.Transcript().Queue) > 0 }

// Commands returns the commands whose names begin with a query.
func (c fieldChat) Commands(query string) []compose.Candidate { return c.commandCandidates(query) }

// Arguments returns everything that may follow a command, as far as it is known.
func (c fieldChat) Arguments(command string) []compose.Candidate { return c.arguments(command) }

// Complete reports whether a command is run when it is chosen: parley's own, and those of the agent without arguments.
func (c fieldChat) Complete(command string) bool {
	if _, ours := findCommand(command); ours {
		return true
	}
	known, ok := c.knownToAgent(command)
	return ok && known.Arguments == ""
}

// commandCandidates returns the commands whose names begin with a query, an exact match first.
func (m *Model) commandCandidates(query string) []compose.Candidate {
	var all []compose.Candidate
	for _, c := range commands {
		if !strings.HasPrefix(c.Name, query) || c.when != nil && !c.when(m) {
			continue
		}
		one := compose.Candidate{Text: c.Name, Label: c.Usage(), Detail: c.Help}
		if c.Name == query {
			all = slices.Insert(all, 0, one)
			continue
		}
		all = append(all, one)
	}
	for _, c := range m.agentCommands() {
		if _, ours := findCommand(c.Name); ours || !strings.HasPrefix(c.Name, query) {
			continue
		}
		all = append(all, compose.Candidate{Text: c.Name, Label: strings.TrimSpace("/" + c.Name + " " + c.Arguments), Detail: c.About})
	}
	return all
}

// agentCommands returns the slash commands that the agent understands.
func (m *Model) agentCommands() []session.SlashCommand {
	if m.opts.Manager == nil {
		return nil
	}
	return m.opts.Manager.Commands(m.agent(), m.dir())
}

// isAgentCommand reports whether the agent understands a slash command.
func (m *Model) isAgentCommand(name string) bool {
	_, known := m.knownToAgent(name)
	return known
}

// knownToAgent returns a slash command that the agent understands.
func (m *Model) knownToAgent(name string) (session.SlashCommand, bool) {
	for _, c := range m.agentCommands() {
		if c.Name == name {
			return c, true
		}
	}
	return session.SlashCommand{}, false
}

// arguments returns everything that may follow a command, as far as it is known.
func (m *Model) arguments(command string) (all []compose.Candidate) {
	switch command {
	case "model":
		for _, mod := range m.models {
			if mod.Unusable == "" {
				all = append(all, compose.Candidate{Text: mod.ID, Detail: strings.TrimSpace(lists.Window(mod.ContextWindow) + "  " + lists.Price(mod.Price))})
			}
		}
	case "effort":
		if mod := m.model(m.settings().Model); mod != nil {
			for _, e := range mod.Efforts {
				all = append(all, compose.Candidate{Text: e})
			}
		}
	case "mode":
		for _, mode := range session.Modes {
			if m.unsupported(mode) == "" {
				all = append(all, compose.Candidate{Text: string(mode), Detail: chat.ModeAbout(mode)})
			}
		}
	case "agent":
		for _, a := range m.agents {
			if a.Missing == "" {
				all = append(all, compose.Candidate{Text: a.Name, Detail: a.About})
			}
		}
	case "install":
		if m.install.Running() {
			all = append(all, compose.Candidate{Text: "stop", Detail: "stop the installation"})
		}
	}
	return all
}
