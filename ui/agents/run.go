package agents

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/nearest"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Command is the command /agents on the screen. The event loop owns it; files are read and made in the background.
type Command struct {
	Look *style.Look
	// Find returns the function that reads the custom agents for the session's agent and directory, nil if the agent takes none.
	Find func() func(ctx context.Context) session.Customs
	// Leads returns the custom agent that leads the session, as in [session.Settings].
	Leads func() string
	// Create makes the file of a new agent and returns its path; nil: none can be made.
	Create func(name string) (path string, err error)
}

// Finder returns the function that reads the custom agents for an agent in a directory, nil if it takes none.
func Finder(m core.Manager, agent, dir string) func(ctx context.Context) session.Customs {
	if m == nil || !m.TakesCustoms(agent) {
		return nil
	}
	return func(ctx context.Context) session.Customs { return m.Customs(ctx, agent, dir) }
}

// Run opens the list, or carries out what is written after the command: a name, none, or new with a name.
func (c *Command) Run(args string) panel.Effect {
	find := c.Find()
	if find == nil {
		return panel.Notice{Text: "This agent takes no custom agents"}
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(args), " ")
	switch {
	case word == "":
		l := &agentList{Command: *c, loading: true}
		return panel.Push{Panel: list.Open(c.Look, l, ""), Start: l.find(), Of: "agents"}
	case word == "none" && rest == "":
		return panel.SetCustom{}
	case word == "new":
		return c.create(strings.TrimSpace(rest))
	}
	name := strings.TrimSpace(args)
	return panel.Run{Work: func(ctx context.Context) panel.Effect { return named(find(ctx), name) }}
}

// create returns the effect that makes the file of a new agent and opens it, with the list under the editor.
func (c *Command) create(name string) panel.Effect {
	switch {
	case c.Create == nil:
		return panel.Notice{Text: "Agents can't be created here"}
	case name == "":
		return panel.All{panel.Notice{Text: "Type a name: /agents new reviewer"}, panel.Write{Text: "/agents new "}}
	}
	create := c.Create
	return panel.Run{Work: func(context.Context) panel.Effect {
		path, err := create(name)
		if err != nil {
			return panel.Notice{Text: err.Error(), Warn: true}
		}
		return panel.Then{Do: func() panel.Effect {
			l := &agentList{Command: *c, loading: true}
			edit := func(context.Context) tea.Msg { return createdMsg{path} }
			return panel.Push{Panel: list.Open(c.Look, l, ""), Start: panel.Batch(l.find(), edit)}
		}}
	}}
}

// named chooses the custom agent with a name, or reports why there is none.
func named(all session.Customs, name string) panel.Effect {
	if a := all.Named(name); a != nil {
		return panel.SetCustom{Agent: *a}
	}
	for _, p := range all.Problems {
		if p.Unused && strings.HasPrefix(strings.ToLower(filepath.Base(p.Path)), strings.ToLower(name)+".") {
			p.Path = filepath.Base(p.Path)
			return panel.Notice{Text: p.Text(), Warn: true}
		}
	}
	var names []string
	for _, a := range all.Agents {
		names = append(names, a.Name)
	}
	what := fmt.Sprintf("no custom agent %q", name)
	switch near := nearest.Of(name, names); {
	case near != "":
		what += fmt.Sprintf("; did you mean %s?", near)
	case all.Untrusted > 0:
		what += "; those of this project can be used once you trust it: /trust"
	}
	return panel.All{panel.Notice{Text: what, Warn: true}, panel.Write{Text: "/agents " + name}}
}

type (
	// foundMsg carries the custom agents.
	foundMsg struct{ all session.Customs }
	// createdMsg carries the file of a new agent.
	createdMsg struct{ path string }
)

// find returns the command that reads the custom agents.
func (l *agentList) find() panel.Cmd {
	find := l.Find()
	if find == nil {
		return nil
	}
	return func(ctx context.Context) tea.Msg { return foundMsg{find(ctx)} }
}

// Update takes the agents, and reads them again after an editor.
func (l *agentList) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case foundMsg:
		l.all, l.loading = msg.all, false
		p.Set(l)
		return nil, nil
	case createdMsg:
		return l.edit(msg.path), nil
	case panel.Edited:
		if msg.Err != nil {
			return panel.Notice{Text: "Couldn't edit " + style.ShortPath(l.editing, l.Look.Home) + ": " + msg.Err.Error(), Warn: true}, nil
		}
		return nil, l.find()
	}
	return panel.Pass{}, nil
}

// edit opens a file in the user's editor.
func (l *agentList) edit(path string) panel.Effect {
	l.editing = path
	return panel.EditFile{Path: path}
}
