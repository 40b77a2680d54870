package claude

import (
	"slices"
	"strings"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/process"
)

// commandsOf returns the commands of a handshake that parley passes on.
func commandsOf(reported []driver.Command) []session.SlashCommand {
	list := make([]session.SlashCommand, 0, len(reported))
	for _, t := range reported {
		name := strings.TrimPrefix(t.Name, "/")
		if !isCommandName(name) {
			continue
		}
		list = append(list, session.SlashCommand{Name: name, Arguments: t.ArgumentHint, About: t.Description})
		for _, alias := range t.Aliases {
			if alias = strings.TrimPrefix(alias, "/"); isCommandName(alias) && alias != name {
				list = append(list, session.SlashCommand{Name: alias, Arguments: t.ArgumentHint, About: "same as /" + name})
			}
		}
	}
	return list
}

func isCommandName(name string) bool {
	return process.CommandName(name) && !strings.HasPrefix(name, "__") && !slices.Contains(ownScreen, name)
}

// ownScreen are commands of Claude Code 2.1.330 that are about its own screen or its makers' tools, and do nothing or are refused
// where another program drives it.
var ownScreen = []string{"auto-mode-setup", "color", "fast", "focus", "heapdump"}

var (
	_ session.Commander     = (*Agent)(nil)
	_ session.CommandWaiter = (*Agent)(nil)
)
