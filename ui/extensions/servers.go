package extensions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/internal/nearest"
	"parley/session"
	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/style"
)

// serve switches the server that is named.
func (c Command) serve(args string) panel.Effect {
	servers, look := c.Live.Servers, c.Look
	switch {
	case servers == nil && c.reads().All:
		return panel.Notice{Text: "No MCP servers here: builtin.mcp is off, or this is the demo"}
	case servers == nil:
		return panel.Notice{Text: core.AgentTitle(c.Agent) + " starts its MCP servers itself"}
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

// maxMentions bounds the resources of a server that are named.
const maxMentions = 20

// mentions returns the resources of a server as a prompt mentions them, "" for none.
func (c Command) mentions(server string) string {
	known, _ := c.Live.Servers.(session.ResourceLister)
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

// toggle starts or ends a server.
func (l *listing) toggle(s session.Server) panel.Effect {
	if slices.ContainsFunc(l.servers, waits) {
		return panel.Notice{Text: beforePrompt}
	}
	c, on := l.Command, s.State != session.ServerConnected && s.State != session.ServerStarting
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		e := switched(ctx, c.Look, c.Live.Servers, s.Name, on)
		return panel.All{e, panel.Tell{Msg: foundMsg{c.read(ctx, false)}}}
	}}
}
