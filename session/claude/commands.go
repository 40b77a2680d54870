package claude

import (
	"slices"
	"strings"
	"sync"

	"parley/session"
	"parley/session/claude/driver"
)

// commandList is what the runtimes said about their slash commands, by directory: a repository brings its own. It is safe
// for concurrent use.
type commandList struct {
	mu sync.Mutex
	by map[string][]session.SlashCommand
}

// learn takes in what a runtime said in its handshake.
func (c *commandList) learn(dir string, told []driver.Command) {
	list := make([]session.SlashCommand, 0, len(told))
	for _, t := range told {
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
	slices.SortStableFunc(list, func(a, b session.SlashCommand) int { return strings.Compare(a.Name, b.Name) })
	list = slices.CompactFunc(list, func(a, b session.SlashCommand) bool { return a.Name == b.Name })
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string][]session.SlashCommand{}
	}
	c.by[dir] = list
}

func isCommandName(name string) bool { return name != "" && !strings.ContainsAny(name, " /\t\n") }

// Commands returns the slash commands that the runtime knows in a directory, by name; nil before one was started there.
// The slice must not be changed.
func (a *Agent) Commands(dir string) []session.SlashCommand {
	a.commands.mu.Lock()
	defer a.commands.mu.Unlock()
	return a.commands.by[dir]
}

var _ session.Commander = (*Agent)(nil)
