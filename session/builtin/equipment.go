package builtin

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"parley/session"
	"parley/session/builtin/mcptool"
	"parley/session/builtin/role"
	"parley/session/builtin/skilltool"
	"parley/session/builtin/tool"
	"parley/session/extensions"
	"parley/session/mcp"
	"parley/session/toolview"
)

// equipment is what the agents of a conversation may use: the tools of every conversation, skills, and the tools of MCP servers.
type equipment struct {
	// own are the agent's own tools, in the order of the model; clients are those of parley for all agents.
	own     []*tool.Tool
	clients atomic.Pointer[[]*tool.Tool]
	// servers has the MCP servers and kit their tools; both are nil for none.
	servers *mcp.Pool
	kit     *mcptool.Kit
	// crew knows which custom agents are in use, nil without servers.
	crew    *mcp.Crew
	skills  *skilltool.Kit
	customs session.CustomFinder
	dir     string
}

// connect prepares the MCP servers of a conversation. They start with its first turn. ask lets a model answer one.
func (e *equipment) connect(o Options, environ func() []string, notice func(text string), ask func(ctx context.Context, s mcp.Sampling) (mcp.Sampled, error)) {
	if o.Servers == nil {
		return
	}
	dir := e.dir
	e.crew = crewOf(o, dir)
	e.servers = mcp.New(mcp.Options{Processes: o.Processes, Environ: environ, Version: o.Version, Notice: notice, SignIns: o.SignIns,
		Servers: e.crew.Servers})
	e.kit = mcptool.New(e.servers, ask)
}

// crewOf returns the servers of a directory and of its custom agents, none of which is in use.
func crewOf(o Options, dir string) *mcp.Crew {
	c := &mcp.Crew{Shared: func(ctx context.Context) []extensions.Server { return o.Servers(ctx, dir) }}
	if o.AgentServers != nil && o.Customs != nil {
		c.All = func(ctx context.Context) []session.CustomAgent { return o.Customs.Customs(ctx, dir).Agents }
	}
	c.Of = func(ctx context.Context, a session.CustomAgent) []extensions.Server {
		if o.AgentServers == nil {
			return nil
		}
		return o.AgentServers(ctx, dir, a)
	}
	return c
}

// reach returns whose servers the agent of a loop may use: those of its own file and of the agents above it, and those of all agents if it
// is at the top or the one that started it had some.
func (l *loop) reach(p *part) mcp.Reach {
	var r mcp.Reach
	add := func(of *role.Role) {
		if a := of.Custom(); a != nil {
			r.Agents = append(r.Agents, a.Name)
		}
	}
	add(p.role)
	if r.Shared = l.depth == 0 || slices.ContainsFunc(p.given, func(t *tool.Tool) bool { return t.Kind == toolview.MCP }); r.Shared {
		for up := l.parent; up != nil; up = up.parent {
			add(up.role())
		}
	}
	return r
}

// under returns the tools of the conversation's own agent while a custom agent holds it, as in [session.Settings].
func (e *equipment) under(ctx context.Context, custom string) ([]*tool.Tool, error) {
	given := func(agents ...string) []*tool.Tool {
		return slices.Concat(e.own, e.skills.Tools(), e.kit.Tools(mcp.Reach{Shared: true, Agents: agents}), *e.clients.Load())
	}
	if custom == "" {
		return given(), nil
	}
	if e.customs == nil {
		return nil, errors.New("custom agents are not available here")
	}
	a, err := e.customs.Chosen(ctx, e.dir, custom)
	if err != nil {
		return nil, err
	}
	return role.Held(*a).Offered(given(a.Name), 0), nil
}

// equipped returns a part with the tools that skills, MCP servers and parley have now, the same one if nothing is different. A child has
// such tools only if the agent that started it had some, and those of its own servers.
func (l *loop) equipped(p *part) *part {
	e, now := &l.c.has, p.tools
	take := func(is func(t *tool.Tool) bool, always bool, tools []*tool.Tool) {
		if always || slices.ContainsFunc(p.given, is) {
			now = append(slices.DeleteFunc(slices.Clone(now), is), p.role.Offered(tools, l.depth)...)
		}
	}
	top := l.depth == 0
	take(func(t *tool.Tool) bool { return t.Name == skilltool.Name }, top, e.skills.Tools())
	take(func(t *tool.Tool) bool { return t.Kind == toolview.MCP }, top || p.role.Custom() != nil, e.kit.Tools(l.reach(p)))
	take(func(t *tool.Tool) bool { return t.Client }, top, *e.clients.Load())
	if slices.Equal(now, p.tools) {
		return p
	}
	return &part{p.role, now, p.given}
}

// notLoaded returns a tool of a server that an agent calls without having found it, nil if it may have none of that name.
func (l *loop) notLoaded(p *part, name string) *tool.Tool {
	if p.named(mcptool.Finder) == nil {
		return nil
	}
	if t := l.c.has.kit.Named(name, l.reach(p)); t != nil && p.role.Fits(t) {
		return t
	}
	return nil
}
