package extensions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/internal/nearest"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Run lists the MCP servers of a session, or switches the one that is named after the command: "github on", "github off", "github
// signout". servers is nil where the agent shows none.
func Run(look *style.Look, servers session.ServerKeeper, agent, args string) panel.Effect {
	switch {
	case servers == nil && agent == "builtin":
		return panel.Notice{Text: "No MCP servers here: builtin.mcp is off, or this is the demo"}
	case servers == nil:
		return panel.Notice{Text: core.AgentTitle(agent) + " does not say here which MCP servers it uses"}
	}
	if args == "" {
		l := &serverList{look: look, keeper: servers, loading: true}
		return panel.Push{Panel: list.Open(look, l, ""), Start: l.find(false), Of: "mcp"}
	}
	name, word, _ := strings.Cut(strings.TrimSpace(args), " ")
	switch word {
	case "on", "off":
	case "signout":
		return panel.Run{Work: func(ctx context.Context) panel.Effect { return signedOut(ctx, look, servers, name) }}
	default:
		return panel.Notice{Text: "Write on, off or signout after the name: /mcp " + name + " off", Warn: true}
	}
	return panel.Run{Work: func(ctx context.Context) panel.Effect { return switched(ctx, look, servers, name, word == "on") }}
}

// switched switches a server and reports what came of it.
func switched(ctx context.Context, look *style.Look, servers session.ServerKeeper, name string, on bool) panel.Effect {
	if err := servers.SwitchServer(ctx, name, on); err != nil {
		return notSwitched(ctx, look, servers, name, err)
	}
	for _, s := range servers.Servers(ctx, true) {
		switch {
		case s.Name != name:
		case s.Page != "":
			return panel.OpenPage{URL: s.Page}
		default:
			return panel.Notice{Text: style.VisibleLine("MCP server " + s.Name + " is " + s.Words()), Warn: s.State == session.ServerFailed}
		}
	}
	return nil
}

// signedOut signs out of a service and reports what came of it.
func signedOut(ctx context.Context, look *style.Look, servers session.ServerKeeper, name string) panel.Effect {
	had, err := servers.SignOut(ctx, name)
	switch {
	case err != nil:
		return notSwitched(ctx, look, servers, name, err)
	case !had:
		return panel.Notice{Text: style.VisibleLine("There is no sign-in to the MCP server " + name)}
	}
	return panel.Notice{Text: style.VisibleLine("Signed out of the MCP server " + name)}
}

// notSwitched reports why a server was not switched, with the name that was probably meant.
func notSwitched(ctx context.Context, look *style.Look, servers session.ServerKeeper, name string, err error) panel.Effect {
	var names []string
	for _, s := range servers.Servers(ctx, false) {
		names = append(names, s.Name)
	}
	text := style.VisibleLine(session.ProblemOf(err, look.Now()).What)
	if near := nearest.Of(name, names); near != "" && near != name {
		text = fmt.Sprintf("No MCP server %q; did you mean %s?", name, near)
	}
	return panel.Notice{Text: text, Warn: true}
}

// beforePrompt is said where servers are listed before one was started.
const beforePrompt = "MCP servers start with the first prompt"

// waits reports whether a server waits for the first prompt, so that none can be switched.
func waits(s session.Server) bool { return s.State == session.ServerWaiting }

// serverList lists the servers with their states.
type serverList struct {
	look    *style.Look
	keeper  session.ServerKeeper
	all     []session.Server
	loading bool
	editing string // the file that is open in the user's editor
}

// Options returns the texts of the list.
func (l *serverList) Options() list.Options {
	o := list.Options{Title: "MCP servers", One: "server", Heads: []string{"", "state", "tools", ""}, Keys: "enter start or stop · ctrl+x edit the file · esc back",
		Peeks: true, Drops: true, Stays: true, Prose: 3, None: "No MCP servers yet"}
	if slices.ContainsFunc(l.all, waits) {
		o.Keys, o.Text = "ctrl+x edit the file · esc back", beforePrompt
	}
	if l.loading {
		o.Wait = "Looking for servers…"
	} else if len(l.all) == 0 {
		o.Text = "parley reads those of Claude Code, the Copilot CLI and this project, such as those in .mcp.json."
	}
	return o
}

// Rows returns a row for each server.
func (l *serverList) Rows() []list.Row {
	var rows []list.Row
	for i, s := range l.all {
		tools := ""
		if s.Tools > 0 {
			tools = human.Number(s.Tools)
		}
		about := []string{style.VisibleLine(s.About)}
		if s.Why != "" {
			about = append(about, style.VisibleLine(strings.ToUpper(s.Why[:1])+s.Why[1:])+".")
		}
		if s.From != "" {
			about = append(about, "File: "+style.VisibleLine(style.ShortPath(s.From, l.look.Home)))
		}
		if all := l.mentions(s.Name); all != "" {
			about = append(about, "Resources, to be mentioned in a prompt: "+all)
		}
		rows = append(rows, list.Row{ID: fmt.Sprint(i), Cells: []string{style.VisibleLine(s.Name), string(s.State), tools, style.VisibleLine(s.Why)}, About: about})
	}
	return rows
}

// maxMentions bounds the resources of a server that are named.
const maxMentions = 20

// mentions returns the resources of a server as a prompt mentions them, "" for none.
func (l *serverList) mentions(server string) string {
	known, _ := l.keeper.(session.ResourceLister)
	if known == nil {
		return ""
	}
	var all []string
	more := 0
	for _, r := range known.Resources() {
		switch {
		case !strings.HasPrefix(r.Mention, server+":"):
		case len(all) == maxMentions:
			more++
		default:
			all = append(all, "@"+style.VisibleLine(r.Mention))
		}
	}
	if more > 0 {
		all = append(all, human.Number(more)+" more")
	}
	return strings.Join(all, ", ")
}

// serversMsg carries the servers. more reports whether some are starting.
type serversMsg struct{ all []session.Server }

// find returns the command that reads the servers, with settled once none is starting.
func (l *serverList) find(settled bool) panel.Cmd {
	keeper := l.keeper
	return func(ctx context.Context) tea.Msg { return serversMsg{keeper.Servers(ctx, settled)} }
}

// Update takes the servers, and waits for those that are starting.
func (l *serverList) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case serversMsg:
		l.all, l.loading = msg.all, false
		p.Set(l)
		for _, s := range l.all {
			if s.State == session.ServerStarting || s.Page != "" {
				return nil, l.find(true)
			}
		}
		return nil, nil
	case panel.Edited:
		if msg.Err != nil {
			return panel.Notice{Text: "Couldn't edit " + style.ShortPath(l.editing, l.look.Home) + ": " + msg.Err.Error(), Warn: true}, nil
		}
		return panel.Notice{Text: "The servers of a file are read when a session is opened"}, nil
	}
	return panel.Pass{}, nil
}

// Choose starts or ends a server.
func (l *serverList) Choose(id string) panel.Effect {
	s, ok := l.server(id)
	switch {
	case !ok:
		return nil
	case slices.ContainsFunc(l.all, waits):
		return panel.Notice{Text: beforePrompt}
	}
	keeper, look, on := l.keeper, l.look, s.State != session.ServerConnected && s.State != session.ServerStarting
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		e := switched(ctx, look, keeper, s.Name, on)
		return panel.All{e, panel.Tell{Msg: serversMsg{keeper.Servers(ctx, false)}}}
	}}
}

// Do opens the file that describes a server.
func (l *serverList) Do(a list.Action) panel.Effect {
	if dropped, is := a.(list.Dropped); is {
		if s, ok := l.server(dropped.Row.ID); ok && s.From != "" {
			l.editing = s.From
			return panel.EditFile{Path: s.From}
		}
	}
	return nil
}

// server returns the server of a row.
func (l *serverList) server(id string) (session.Server, bool) {
	for i, s := range l.all {
		if fmt.Sprint(i) == id {
			return s, true
		}
	}
	return session.Server{}, false
}
