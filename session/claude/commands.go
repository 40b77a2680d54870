package claude

import (
	"context"
	"slices"
	"strings"

	"parley/internal/monitor"
	"parley/session"
	"parley/session/claude/driver"
)

// commandList holds the slash commands that the runtimes reported, by directory: a repository may add some. Its zero value
// is ready to use, and it is safe for concurrent use.
type commandList struct {
	mu     monitor.Monitor
	byDir  map[string][]session.SlashCommand
	failed map[string]*startFailure // the newest failure of a start, by directory
}

type startFailure struct{ err error }

// failedStart records that no runtime could be started in a directory.
func (c *commandList) failedStart(dir string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = map[string]*startFailure{}
	}
	c.failed[dir] = &startFailure{err}
	c.mu.Notify()
}

// await returns once the commands of a directory are known, or with the error of the next start that fails there.
func (c *commandList) await(ctx context.Context, dir string) error {
	c.mu.Lock()
	before := c.failed[dir]
	c.mu.Unlock()
	var failure *startFailure
	err := c.mu.Wait(ctx, func() bool {
		if c.byDir[dir] != nil {
			return true
		}
		failure = c.failed[dir]
		return failure != before
	})
	if err == nil && failure != nil && failure != before {
		return failure.err
	}
	return err
}

// learn records the commands of a handshake.
func (c *commandList) learn(dir string, reported []driver.Command) {
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
	slices.SortStableFunc(list, func(a, b session.SlashCommand) int { return strings.Compare(a.Name, b.Name) })
	list = slices.CompactFunc(list, func(a, b session.SlashCommand) bool { return a.Name == b.Name })
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byDir == nil {
		c.byDir = map[string][]session.SlashCommand{}
	}
	c.byDir[dir] = list
	c.mu.Notify()
}

// forget makes the commands of a directory unknown, because the next runtime there may have others.
func (c *commandList) forget(dir string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.byDir, dir)
}

func isCommandName(name string) bool {
	return name != "" && !strings.ContainsAny(name, " /\t\n") && !strings.HasPrefix(name, "__") && !slices.Contains(ownScreen, name)
}

// ownScreen are commands of Claude Code 2.1.330 that are about its own screen or its makers' tools, and do nothing or are refused
// where another program drives it.
var ownScreen = []string{"auto-mode-setup", "color", "fast", "focus", "heapdump"}

// Commands returns the slash commands of a directory by name, nil before a runtime was started there. The slice must not be
// changed.
func (a *Agent) Commands(dir string) []session.SlashCommand {
	a.commands.mu.Lock()
	defer a.commands.mu.Unlock()
	return a.commands.byDir[dir]
}

// AwaitCommands waits until a runtime in a directory has reported its commands.
func (a *Agent) AwaitCommands(ctx context.Context, dir string) error {
	return a.commands.await(ctx, dir)
}

var (
	_ session.Commander     = (*Agent)(nil)
	_ session.CommandWaiter = (*Agent)(nil)
)
