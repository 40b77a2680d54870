package process

import (
	"context"
	"slices"
	"strings"

	"parley/internal/monitor"
	"parley/session"
)

// Commands are the slash commands that a runtime reported, by directory: a repository may add some. The zero value is ready to use,
// and it is safe for concurrent use.
type Commands struct {
	mu     monitor.Monitor
	byDir  map[string][]session.SlashCommand
	failed map[string]*error // the newest failure, by directory
	asked  map[string]int    // how often somebody began to wait, by directory
}

// Learn records the commands of a directory in the order of their names, each once, or why they could not be learned.
func (c *Commands) Learn(dir string, list []session.SlashCommand, err error) {
	slices.SortStableFunc(list, func(a, b session.SlashCommand) int { return strings.Compare(a.Name, b.Name) })
	list = slices.CompactFunc(list, func(a, b session.SlashCommand) bool { return a.Name == b.Name })
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.mu.Notify()
	if err != nil {
		if c.failed == nil {
			c.failed = map[string]*error{}
		}
		c.failed[dir] = &err
		return
	}
	if c.byDir == nil {
		c.byDir = map[string][]session.SlashCommand{}
	}
	if list == nil {
		list = []session.SlashCommand{}
	}
	c.byDir[dir] = list
}

// Forget makes the commands of a directory unknown, because the next session there may have others.
func (c *Commands) Forget(dir string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.byDir, dir)
}

// Of returns the commands of a directory, nil while they are unknown. The slice must not be changed.
func (c *Commands) Of(dir string) []session.SlashCommand {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byDir[dir]
}

// Await returns once the commands of a directory are known, or with the error of the next try to learn them that fails.
func (c *Commands) Await(ctx context.Context, dir string) error {
	c.mu.Lock()
	if c.asked == nil {
		c.asked = map[string]int{}
	}
	c.asked[dir]++
	before := c.failed[dir]
	c.mu.Notify()
	c.mu.Unlock()
	var failure *error
	err := c.mu.Wait(ctx, func() bool {
		failure = c.failed[dir]
		return c.byDir[dir] != nil || failure != before
	})
	if err == nil && failure != nil && failure != before {
		return *failure
	}
	return err
}

// Asked waits until somebody waits for the commands of a directory who is not among the first seen, and returns how many there
// were; 0 if they are known, or ctx ended.
func (c *Commands) Asked(ctx context.Context, dir string, seen int) (now int) {
	known := false
	err := c.mu.Wait(ctx, func() bool {
		known, now = c.byDir[dir] != nil, c.asked[dir]
		return known || now > seen
	})
	if err != nil || known {
		return 0
	}
	return now
}

// CommandName reports whether a name can be that of a slash command: a word without slashes.
func CommandName(name string) bool { return name != "" && !strings.ContainsAny(name, " /\t\n") }
