package cli

import (
	"context"
	"path/filepath"
	"slices"

	"parley/session"
	"parley/session/extensions"
	"parley/session/mcp"
)

// servers returns what finds MCP servers and those of custom agents, nil where there are none. Those of a repository are used only where
// agreed says that the user has agreed to what it brings to the agent: what they agreed to for another one lists other files.
func (a *app) servers(agreed func(dir string) bool) (shared func(ctx context.Context, dir string) []extensions.Server,
	ofAgent func(ctx context.Context, dir string, c session.CustomAgent) []extensions.Server) {
	if a.demo != nil || !a.cfg.Builtin.MCP {
		return nil, nil
	}
	own, _ := a.decisions()
	_, copilot := a.runtimeHomes()
	p := extensions.Places{Home: a.getenv("HOME"), ConfigDir: a.paths.Config, Claude: own, Copilot: copilot,
		Plugins: plugins(a, nil).Servers, CopilotOff: switchPlaces(a).Servers}
	now := func() extensions.Places {
		p := p
		p.Environ = a.terminals.Newest(a.environ)
		return p
	}
	return func(ctx context.Context, dir string) []extensions.Server { return now().Servers(ctx, dir, agreed(dir)) },
		func(_ context.Context, dir string, c session.CustomAgent) []extensions.Server {
			return now().OfAgent(dir, c, agreed(dir))
		}
}

// describedServers returns what shows the servers of a directory that a runtime finds: those of the user, and where the directory is
// trusted those in the repository's file of a name, or in all for "".
func describedServers(p extensions.Places, trusted func(dir string) bool, name string) func(dir string) session.ServerKeeper {
	return func(dir string) session.ServerKeeper {
		return mcp.Described{Find: func(ctx context.Context) []extensions.Server {
			return slices.DeleteFunc(p.Servers(ctx, dir, trusted(dir)), func(s extensions.Server) bool {
				return s.Project && name != "" && filepath.Base(s.From) != name
			})
		}}
	}
}
