package copilot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/session"
	"parley/session/copilot/driver"
	"parley/session/process"
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

// slashCommands returns the reported commands that parley passes on.
func slashCommands(reported []command) []session.SlashCommand {
	list := make([]session.SlashCommand, 0, len(reported))
	for _, r := range reported {
		if r.usable() && process.CommandName(r.Name) {
			s := session.SlashCommand{Name: r.Name, About: r.Description}
			if r.Input.Hint != "" {
				s.Arguments = "[" + strings.Trim(r.Input.Hint, "[]") + "]"
			}
			list = append(list, s)
		}
	}
	return list
}

// learnCommands asks the runtime for the commands of an open session.
func learnCommands(c *conversation, l *link) {
	defer close(l.learned)
	list, err := listCommands(c.Life, l.client, l.id)
	if c.Life.Err() == nil {
		c.a.Slash.Learn(c.o.Dir, slashCommands(list), err)
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
			c.Mu.Lock()
			if c.Link == l {
				c.Out.Put(session.Notice{Head: l.m.Head(c.a.o.Now()), Severity: session.Info, Text: text})
			}
			c.Mu.Unlock()
			c.Out.Deliver()
		}
		return "", true, nil
	}
	return "", false, &session.Error{Op: "run /" + name, Kind: session.KindUnsupported, Err: errors.New("the runtime wants to ask something that parley cannot show")}
}
