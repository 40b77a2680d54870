package cli

import (
	"cmp"
	"context"
	"path/filepath"

	"parley/session/extensions"
)

// servers returns what finds MCP servers for the builtin agent, nil where there are none. Those of a repository are used only once
// the user has agreed to what it brings to this agent: what they agreed to for a runtime lists other files.
func (a *app) servers() func(ctx context.Context, dir string) []extensions.Server {
	if a.demo != nil || !a.cfg.Builtin.MCP {
		return nil
	}
	own, _ := a.decisions()
	p := extensions.Places{Home: a.getenv("HOME"), ConfigDir: a.paths.Config, Claude: own, Environ: a.environ,
		Copilot: cmp.Or(a.cfg.Copilot.Home, a.getenv("COPILOT_HOME"))}
	if p.Copilot == "" && p.Home != "" {
		p.Copilot = filepath.Join(p.Home, ".copilot")
	}
	agreed := a.trusted(a.instructed())
	return func(ctx context.Context, dir string) []extensions.Server { return p.Servers(ctx, dir, agreed(dir)) }
}
