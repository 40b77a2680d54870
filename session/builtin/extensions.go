package builtin

import (
	"context"

	"parley/session"
	"parley/session/builtin/skilltool"
	"parley/session/extensions"
	"parley/session/hooks"
	"parley/session/mcp"
)

var (
	_ session.ExtensionHolder = (*conversation)(nil)
	_ session.ExtensionFinder = (*Agent)(nil)
)

// Extensions returns what shows the MCP servers, the hooks and the skills, and switches servers.
func (c *conversation) Extensions() session.Extensions {
	e := session.Extensions{Hooks: c.hooks.Keeper()}
	if c.has.servers != nil {
		e.Servers = c.has.servers
	}
	if c.o.Skills != nil {
		e.Skills = skilltool.Lister{Finder: c.o.Skills, Dir: c.open.Dir}
	}
	return e
}

// ExtensionsFor returns what shows the MCP servers, the hooks and the skills of a directory.
func (a *Agent) ExtensionsFor(dir string) (e session.Extensions) {
	if a.o.Servers != nil {
		e.Servers = mcp.Described{Find: func(ctx context.Context) []extensions.Server { return a.o.Servers(ctx, dir) }}
	}
	if a.o.Hooks != nil {
		e.Hooks = hooks.Described{Find: func(ctx context.Context) hooks.Set { return a.o.Hooks(ctx, dir) }}
	}
	if a.o.Skills != nil {
		e.Skills = skilltool.Lister{Finder: a.o.Skills, Dir: dir}
	}
	return e
}
