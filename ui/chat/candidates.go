package chat

import (
	"strings"

	"parley/ui/features"
	"parley/ui/textarea"
)

// complete reports whether a command is run when it is chosen: parley's own, also by another name, and those of the agent that need no
// arguments.
func (c *commands) complete(command string) bool {
	if _, ours := features.Find(command); ours {
		return true
	}
	if features.Sibling(command, "", c.current.isAgentCommand(command)) != nil {
		return true
	}
	known, ok := c.current.knownToAgent(command)
	return ok && known.Bare()
}

// candidates returns the commands whose names begin with a query, parley's own first; without any, those that do the same.
func (c *commands) candidates(query string) []textarea.Candidate {
	all := features.Candidates(c.state(), query)
	for _, one := range c.current.agentCommands() {
		if _, ours := features.Find(one.Name); ours || !strings.HasPrefix(one.Name, query) {
			continue
		}
		all = append(all, textarea.Candidate{Text: one.Name, Label: strings.TrimSpace("/" + one.Name + " " + one.Arguments), Detail: one.About})
	}
	if len(all) == 0 {
		return features.Siblings(c.state(), query)
	}
	return all
}

// arguments returns what may follow a command.
func (c *commands) arguments(command string) []textarea.Candidate {
	return features.Arguments(c.state(), command)
}
