package claude

import (
	"context"
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
	// failed is what the newest start in a directory failed with, nil while none has.
	failed  map[string]*startFailure
	changed chan struct{} // closed, and replaced, when something was learned or failed
}

// startFailure is one failed start.
type startFailure struct{ err error }

// note wakes whoever waits. The lock is held.
func (c *commandList) note() {
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// missed takes note of a runtime that could not be started.
func (c *commandList) missed(dir string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = map[string]*startFailure{}
	}
	c.failed[dir] = &startFailure{err}
	c.note()
}

// await returns once the commands of a directory are known, or a start there has failed since it was called.
func (c *commandList) await(ctx context.Context, dir string) error {
	c.mu.Lock()
	before := c.failed[dir]
	for {
		if now := c.failed[dir]; c.by[dir] != nil || now != before {
			known := c.by[dir] != nil
			c.mu.Unlock()
			if known {
				return nil
			}
			return now.err
		}
		if c.changed == nil {
			c.changed = make(chan struct{})
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
		c.mu.Lock()
	}
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
	c.note()
}

func isCommandName(name string) bool { return name != "" && !strings.ContainsAny(name, " /\t\n") }

// Commands returns the slash commands that the runtime knows in a directory, by name; nil before one was started there.
// The slice must not be changed.
func (a *Agent) Commands(dir string) []session.SlashCommand {
	a.commands.mu.Lock()
	defer a.commands.mu.Unlock()
	return a.commands.by[dir]
}

// AwaitCommands waits until a runtime in a directory has said which commands it knows.
func (a *Agent) AwaitCommands(ctx context.Context, dir string) error {
	return a.commands.await(ctx, dir)
}

var (
	_ session.Commander     = (*Agent)(nil)
	_ session.CommandWaiter = (*Agent)(nil)
)
