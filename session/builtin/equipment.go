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
	e.servers = mcp.New(mcp.Options{Processes: o.Processes, Environ: environ, Version: o.Version, Notice: notice, SignIns: o.SignIns,
		Servers: func(ctx context.Context) []extensions.Server { return o.Servers(ctx, dir) }})
	e.kit = mcptool.New(e.servers, ask)
}

// under returns the tools of the conversation's own agent while a custom agent holds it, as in [session.Settings].
func (e *equipment) under(ctx context.Context, custom string) ([]*tool.Tool, error) {
	given := slices.Concat(e.own, e.skills.Tools(), e.kit.Tools(), *e.clients.Load())
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

// equipped returns a part with the tools that skills, MCP servers and parley have now, the same one if nothing is different. A child has
// such tools only if the agent that started it had some.
func (e *equipment) equipped(p *part, depth int) *part {
	now := p.tools
	take := func(is func(t *tool.Tool) bool, tools []*tool.Tool) {
		if depth == 0 || slices.ContainsFunc(p.tools, is) {
			now = append(slices.DeleteFunc(slices.Clone(now), is), p.role.Offered(tools, depth)...)
		}
	}
	take(func(t *tool.Tool) bool { return t.Name == skilltool.Name }, e.skills.Tools())
	take(func(t *tool.Tool) bool { return t.Kind == toolview.MCP }, e.kit.Tools())
	take(func(t *tool.Tool) bool { return t.Client }, *e.clients.Load())
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
