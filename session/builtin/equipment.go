package builtin

import (
	"context"
	"errors"
	"slices"

	"parley/session"
	"parley/session/builtin/mcptool"
	"parley/session/builtin/role"
	"parley/session/builtin/tool"
	"parley/session/extensions"
	"parley/session/mcp"
	"parley/session/toolview"
)

// equipment is what the agents of a conversation may use: the tools of every conversation, and those of MCP servers.
type equipment struct {
	// own are the agent's own tools, in the order of the model.
	own []*tool.Tool
	// servers has the MCP servers and kit their tools; both are nil for none.
	servers *mcp.Pool
	kit     *mcptool.Kit
	customs session.CustomFinder
	dir     string
}

// connect prepares the MCP servers of a conversation. They start with its first turn.
func (e *equipment) connect(o Options, notice func(text string)) {
	if o.Servers == nil {
		return
	}
	dir := e.dir
	e.servers = mcp.New(mcp.Options{Processes: o.Processes, Environ: o.Environ, Version: o.Version, Notice: notice,
		Servers: func(ctx context.Context) []extensions.Server { return o.Servers(ctx, dir) }})
	e.kit = mcptool.New(e.servers)
}

// under returns the tools of the conversation's own agent while a custom agent holds it, as in [session.Settings].
func (e *equipment) under(ctx context.Context, custom string) ([]*tool.Tool, error) {
	given := append(slices.Clip(e.own), e.kit.Tools()...)
	if custom == "" {
		return given, nil
	}
	if e.customs == nil {
		return nil, errors.New("custom agents are not available here")
	}
	a, err := e.customs.Chosen(ctx, e.dir, custom)
	if err != nil {
		return nil, err
	}
	return role.Held(*a).Offered(given, 0), nil
}

// equipped returns a part with the tools that MCP servers have now, the same one if nothing is different. A child has tools of
// servers only if the agent that started it had some.
func (e *equipment) equipped(p *part, depth int) *part {
	remote := func(t *tool.Tool) bool { return t.Kind == toolview.MCP }
	if e.kit == nil || depth > 0 && !slices.ContainsFunc(p.tools, remote) {
		return p
	}
	now := append(slices.DeleteFunc(slices.Clone(p.tools), remote), p.role.Offered(e.kit.Tools(), depth)...)
	if slices.Equal(now, p.tools) {
		return p
	}
	return &part{p.role, now}
}

// notLoaded returns a tool of a server that an agent calls without having found it, nil if it may have none of that name.
func (e *equipment) notLoaded(p *part, name string) *tool.Tool {
	if p.named(mcptool.Finder) == nil {
		return nil
	}
	if t := e.kit.Named(name); t != nil && p.role.Fits(t) {
		return t
	}
	return nil
}

var (
	_ session.ServerHolder = (*conversation)(nil)
	_ session.ServerFinder = (*Agent)(nil)
)

// Servers returns what shows and switches the MCP servers.
func (c *conversation) Servers() session.ServerKeeper {
	if c.has.servers == nil {
		return nil
	}
	return c.has.servers
}

// ServersFor returns what shows the MCP servers of a directory.
func (a *Agent) ServersFor(dir string) session.ServerKeeper {
	if a.o.Servers == nil {
		return nil
	}
	return mcp.Described{Find: func(ctx context.Context) []extensions.Server { return a.o.Servers(ctx, dir) }}
}
