package cli

import (
	"cmp"
	"context"
	"path/filepath"

	"parley/session/hooks"
)

// hooks returns what finds hooks, nil where there are none. Those of a repository run only where permits says that the user has agreed to
// what it brings to the agent. A program that is given a policy, such as a test, has no files of an administrator.
func (a *app) hooks(permits func(dir string) bool) func(ctx context.Context, dir string) hooks.Set {
	if a.demo != nil || !a.cfg.Builtin.Hooks {
		return nil
	}
	home := a.getenv("HOME")
	below := func(name string) string {
		if home == "" {
			return ""
		}
		return filepath.Join(home, name)
	}
	p := hooks.Places{Home: home, Claude: cmp.Or(a.cfg.Claude.ConfigDir, a.getenv("CLAUDE_CONFIG_DIR"), below(".claude")),
		Copilot: cmp.Or(a.cfg.Copilot.Home, a.getenv("COPILOT_HOME"), below(".copilot")), Plugins: plugins(a, nil).Hooks}
	if a.managed {
		p.Managed, p.ManagedCopilot = hooks.SystemPlaces()
	}
	return func(ctx context.Context, dir string) hooks.Set {
		return p.Find(ctx, dir, func() bool { return permits(dir) })
	}
}
