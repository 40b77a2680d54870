package ui

import "parley/session"

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
