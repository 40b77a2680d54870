package copilotcli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/internal/monitor"
	"parley/session"
	"parley/session/copilotcli/driver"
)

var (
	_ session.Commander     = (*Agent)(nil)
	_ session.CommandWaiter = (*Agent)(nil)
)

// command is a slash command of the runtime.
type command struct {
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases"`
	Description string   `json:"description"`
	Kind        string   `json:"kind"` // "builtin", "skill" or "client"
	Input       struct {
		Hint string `json:"hint"`
	} `json:"input"`
}

// builtins are the runtime's own commands that parley passes on. The others change settings that parley has itself, or grant
// permissions, which only the user does.
var builtins = []string{"compact", "init", "research", "review", "security-review"}

// usable reports whether parley passes a command on.
func (c command) usable() bool {
	return c.Kind == "skill" || c.Kind == "builtin" && slices.Contains(builtins, c.Name)
}

// commandList holds the slash commands that the runtime reported, by directory: a repository may add some. Its zero value is
// ready to use, and it is safe for concurrent use.
type commandList struct {
	mu     monitor.Monitor
	byDir  map[string][]session.SlashCommand
	failed map[string]*error // the newest failure, by directory
	asked  map[string]int    // how often somebody began to wait, by directory
}

// learn records the commands of a session in a directory, or why they are unknown.
func (l *commandList) learn(dir string, reported []command, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.mu.Notify()
	if err != nil {
		if l.failed == nil {
			l.failed = map[string]*error{}
		}
		l.failed[dir] = &err
		return
	}
	list := make([]session.SlashCommand, 0, len(reported))
	for _, r := range reported {
		if r.usable() && isCommandName(r.Name) {
			s := session.SlashCommand{Name: r.Name, About: r.Description}
			if r.Input.Hint != "" {
				s.Arguments = "[" + strings.Trim(r.Input.Hint, "[]") + "]"
			}
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b session.SlashCommand) int { return strings.Compare(a.Name, b.Name) })
	if l.byDir == nil {
		l.byDir = map[string][]session.SlashCommand{}
	}
	l.byDir[dir] = slices.CompactFunc(list, func(a, b session.SlashCommand) bool { return a.Name == b.Name })
}

// forget makes the commands of a directory unknown, because the next session there may have others.
func (l *commandList) forget(dir string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byDir, dir)
}

func isCommandName(name string) bool { return name != "" && !strings.ContainsAny(name, " /\t\n") }

// Commands returns the slash commands of a directory by name, nil before a session was opened there. The slice must not be
// changed.
func (a *Agent) Commands(dir string) []session.SlashCommand {
	a.commands.mu.Lock()
	defer a.commands.mu.Unlock()
	return a.commands.byDir[dir]
}

// AwaitCommands waits until the commands of a directory are known, or could not be learned.
func (a *Agent) AwaitCommands(ctx context.Context, dir string) error {
	l := &a.commands
	before := l.ask(dir)
	var failure *error
	err := l.mu.Wait(ctx, func() bool {
		failure = l.failed[dir]
		return l.byDir[dir] != nil || failure != before
	})
	if err == nil && failure != nil && failure != before {
		return *failure
	}
	return err
}

// learnCommands asks the runtime for the commands of an open session.
func learnCommands(c *conversation, l *link) {
	defer close(l.learned)
	list, err := listCommands(c.life, l.client, l.id)
	if c.life.Err() == nil {
		c.a.commands.learn(c.o.Dir, list, err)
	}
}

// listCommands returns the commands of a session.
func listCommands(ctx context.Context, client *driver.Client, id session.ID) ([]command, error) {
	var list struct {
		Commands []command `json:"commands"`
	}
	err := client.Call(ctx, "session.commands.list", map[string]any{"sessionId": string(id)}, &list)
	if isUnknownMethod(err) {
		err = nil // an old runtime has none that parley could send
	}
	return list.Commands, err
}

// splitCommand returns the name and the input of a prompt that is a slash command, "" for any other. It waits until the commands
// of the link are known.
func splitCommand(ctx context.Context, c *conversation, l *link, p session.Prompt) (name, input string) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(p.Text), "/")
	if !ok {
		return "", ""
	}
	select {
	case <-l.learned:
	case <-ctx.Done():
	}
	name, input, _ = strings.Cut(rest, " ")
	for _, known := range c.a.Commands(c.o.Dir) {
		if known.Name == name {
			return name, strings.TrimSpace(input)
		}
	}
	return "", ""
}

// invoke runs a slash command of the runtime. It returns the prompt that the command sends to the model, or reports that the
// command is done.
func invoke(ctx context.Context, c *conversation, l *link, name, input string) (prompt string, done bool, err error) {
	var raw json.RawMessage
	if err := l.call(ctx, "session.commands.invoke", map[string]any{"name": name, "input": input}, &raw); err != nil {
		return "", false, fmt.Errorf("run /%s: %w", name, err)
	}
	var r struct {
		Kind    string `json:"kind"`
		Prompt  string `json:"prompt"`
		Text    string `json:"text"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", false, fmt.Errorf("run /%s: %w", name, err)
	}
	switch r.Kind {
	case "agent-prompt":
		return r.Prompt, false, nil
	case "text", "completed":
		if text := strings.TrimSpace(r.Text + r.Message); text != "" && name != "compact" {
			c.mu.Lock()
			if c.link == l {
				c.out.Put(session.Notice{Head: l.m.Head(c.a.o.Now()), Severity: session.Info, Text: text})
			}
			c.mu.Unlock()
			c.out.Deliver()
		}
		return "", true, nil
	}
	return "", false, &session.Error{Op: "run /" + name, Kind: session.KindUnsupported, Err: errors.New("the runtime wants to ask something that parley cannot show")}
}
