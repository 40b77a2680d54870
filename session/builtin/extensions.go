package builtin

import (
	"context"

	"parley/session"
	"parley/session/builtin/skilltool"
	"parley/session/extensions"
	"parley/session/extensions/inventory"
	"parley/session/hooks"
	"parley/session/mcp"
)

var (
	_ session.ExtensionHolder = (*conversation)(nil)
	_ session.ExtensionFinder = (*Agent)(nil)
)

// offIn returns what says what is off in a session, nil for nothing.
func (o *Options) offIn(id session.ID) func() inventory.Off {
	if o.Off == nil {
		return nil
	}
	return func() inventory.Off { return o.Off(id) }
}

// within returns options in which the MCP servers and hooks that are off in a session say so.
func within(o Options, id session.ID) Options {
	if o.Off == nil {
		return o
	}
	marked := func(all []extensions.Server) []extensions.Server {
		off := o.Off(id)
		for n := range all {
			if s := &all[n]; s.Why == "" && off.Has(inventory.Server, s.Name, s.From) {
				s.Why = inventory.OffHere
			}
		}
		return all
	}
	if find := o.Servers; find != nil {
		o.Servers = func(ctx context.Context, dir string) []extensions.Server { return marked(find(ctx, dir)) }
	}
	if find := o.AgentServers; find != nil {
		o.AgentServers = func(ctx context.Context, dir string, a session.CustomAgent) []extensions.Server {
			return marked(find(ctx, dir, a))
		}
	}
	if find := o.Hooks; find != nil {
		o.Hooks = func(ctx context.Context, dir string) hooks.Set {
			set, off := find(ctx, dir), o.Off(id)
			for n := range set.Hooks {
				if h := &set.Hooks[n]; h.Why == "" && off.Has(inventory.Hook, h.Event, h.From) {
					h.Why = inventory.OffHere
				}
			}
			return set
		}
	}
	return o
}

// Extensions returns what shows the MCP servers, the hooks and the skills, and switches servers.
func (c *conversation) Extensions() session.Extensions {
	e := session.Extensions{Hooks: c.hooks.Keeper()}
	if c.has.servers != nil {
		e.Servers = c.has.servers
	}
	if c.o.Skills != nil {
		e.Skills = skilltool.Lister{Finder: c.o.Skills, Dir: c.open.Dir, Off: c.o.offIn(c.open.Session)}
	}
	return e
}

// ExtensionsFor returns what shows the MCP servers, the hooks and the skills of a directory.
func (a *Agent) ExtensionsFor(dir string) (e session.Extensions) {
	if a.o.Servers != nil {
		e.Servers = mcp.Described{Find: crewOf(a.o, dir).Servers}
	}
	if a.o.Hooks != nil {
		e.Hooks = hooks.Described{Find: func(ctx context.Context) hooks.Set { return a.o.Hooks(ctx, dir) }}
	}
	if a.o.Skills != nil {
		e.Skills = skilltool.Lister{Finder: a.o.Skills, Dir: dir}
	}
	return e
}
