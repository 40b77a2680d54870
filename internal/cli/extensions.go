package cli

import (
	"context"
	"os"
	"path/filepath"

	extensioncmd "parley/internal/cli/extensions"
	"parley/session/builtin/instruct"
	"parley/session/builtin/skilltool"
	"parley/session/extensions"
	"parley/session/extensions/inventory"
	"parley/session/extensions/plugin"
	"parley/session/hooks"
	"parley/session/mcp"
	"parley/session/trust"
)

// findExtensions returns what finds everything that extends an agent in a directory. It reads files when it is called, and starts nothing.
func findExtensions(a *app) func(ctx context.Context, agent, dir string) inventory.Found {
	decisions := map[string]*trust.Store{"builtin": a.instructed()}
	_, decisions["claude"] = a.decisions()
	_, decisions["copilot"] = a.copilotDecisions()
	servers, found := a.servers(), a.hooks()
	return func(ctx context.Context, agent, dir string) inventory.Found {
		agreed := a.trusted(decisions["builtin"])
		if own := decisions[agent]; own != nil {
			agreed = a.trusted(own)
		}
		customs, skills := a.customs(agreed), a.skills(agreed)
		f := inventory.Found{Customs: customs.Customs(ctx, dir), Skills: skilltool.Lister{Finder: skills, Dir: dir}.Skills(ctx), Texts: instructions(ctx, a, agent, dir, agreed(dir))}
		if !agreed(dir) {
			f.Theirs = customs.Items(ctx, dir)
		}
		if servers != nil {
			f.Servers = mcp.Described{Find: func(ctx context.Context) []extensions.Server { return servers(ctx, dir) }}.Servers(ctx, false)
		}
		if found != nil {
			f.Hooks = hooks.Described{Find: func(ctx context.Context) hooks.Set { return found(ctx, dir) }}.Hooks(ctx)
		}
		f.Reads = reads(a, agent)
		for _, p := range plugins(a, nil).List(ctx) {
			f.Plugins = append(f.Plugins, listed(p))
		}
		return f
	}
}

// reads returns which files of hooks and MCP servers an agent reads: a runtime its own ones, and those that it shares with others.
func reads(a *app, agent string) inventory.Reads {
	home, copilot := a.runtimeHomes()
	own, _ := a.decisions()
	switch agent {
	case "claude":
		return inventory.Reads{Hooks: map[inventory.Scope][]string{inventory.User: {home + "/"}, inventory.Project: {"/.claude/"}},
			Servers: map[inventory.Scope][]string{inventory.User: {own()}, inventory.Project: {"/.mcp.json"}}}
	case "copilot":
		return inventory.Reads{Hooks: map[inventory.Scope][]string{inventory.User: {copilot + "/"}, inventory.Project: {"/.github/", "/.claude/"}},
			Servers: map[inventory.Scope][]string{inventory.User: {copilot + "/"}, inventory.Project: {"/.github/", "/.mcp.json"}}}
	}
	return inventory.Reads{All: true}
}

// instructions returns the instruction files of a directory: those that parley reads, and those of the user that only a runtime does.
func instructions(ctx context.Context, a *app, agent, dir string, agreed bool) (all []inventory.Text) {
	o := instruct.Options{Dir: dir, ConfigDir: a.paths.Config}
	if a.demo == nil {
		o.Home = a.getenv("HOME")
		claude, copilot := a.runtimeHomes()
		for name, path := range map[string]string{"claude": filepath.Join(claude, "CLAUDE.md"), "copilot": filepath.Join(copilot, "copilot-instructions.md")} {
			if info, err := os.Stat(path); name == agent && err == nil && info.Mode().IsRegular() {
				all = append(all, inventory.Text{Path: path, Size: int(info.Size()), Own: true})
			}
		}
	}
	found := instruct.Find(ctx, o)
	add := func(f instruct.File, later bool) {
		t := inventory.Text{Path: f.Path, Size: len(f.Text), Own: f.Own, By: f.By, Later: later}
		if info, err := os.Stat(f.Path); later && err == nil {
			t.Size = int(info.Size())
		}
		if !f.Own && !agreed {
			t.Why = inventory.NotAgreed
		}
		all = append(all, t)
	}
	for _, f := range found.Files {
		add(f, false)
	}
	for _, f := range found.Later {
		add(f, true)
	}
	for _, l := range found.Left {
		all = append(all, inventory.Text{Path: l.Path, Why: l.Why})
	}
	return all
}

// extensionOptions returns what `parley extensions` works with.
func extensionOptions(a *app) extensioncmd.Options {
	return extensioncmd.Options{Out: a.out, Plugins: func() (*plugin.Store, func() error) { return pluginChanges(a) }, Find: func(ctx context.Context) ([]inventory.Item, error) {
		dir, err := a.workingDir()
		if err != nil {
			return nil, err
		}
		agent := a.cfg.Agent
		if agent == "auto" {
			agent = "builtin"
		}
		return findExtensions(a)(ctx, agent, dir).Items(), nil
	}}
}
