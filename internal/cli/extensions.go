package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	extensioncmd "parley/internal/cli/extensions"
	"parley/session"
	"parley/session/builtin/instruct"
	"parley/session/builtin/skilltool"
	"parley/session/extensions"
	"parley/session/extensions/inventory"
	"parley/session/extensions/plugin"
	"parley/session/extensions/switches"
	"parley/session/extensions/watch"
	"parley/session/hooks"
	"parley/session/mcp"
	"parley/session/trust"
)

// findExtensions returns what finds everything that extends an agent in a directory. It reads files when it is called, and starts nothing.
func findExtensions(a *app) func(ctx context.Context, agent, dir string) inventory.Found {
	decisions := map[string]*trust.Store{"builtin": a.instructed()}
	_, decisions["claude"] = a.decisions()
	_, decisions["copilot"] = a.copilotDecisions()
	return func(ctx context.Context, agent, dir string) inventory.Found {
		own := cmp.Or(decisions[agent], decisions["builtin"])
		agreed := a.trusted(own)
		customs, skills := a.customs(agreed), a.skills(agreed)
		f := inventory.Found{Customs: customs.Customs(ctx, dir), Skills: skilltool.Lister{Finder: skills, Dir: dir}.Skills(ctx), Texts: instructions(ctx, a, agent, dir, agreed(dir))}
		if !agreed(dir) {
			f.Theirs = customs.Items(ctx, dir)
		}
		if servers, ofAgent := a.servers(agreed); servers != nil {
			crew := mcp.Crew{Of: func(ctx context.Context, c session.CustomAgent) []extensions.Server { return ofAgent(ctx, dir, c) },
				Shared: func(ctx context.Context) []extensions.Server { return servers(ctx, dir) }, All: func(context.Context) []session.CustomAgent { return f.Customs.Agents }}
			f.Servers = mcp.Described{Find: crew.Servers}.Servers(ctx, false)
		}
		if found := a.hooks(own.Permits); found != nil {
			f.Hooks = hooks.Described{Find: func(ctx context.Context) hooks.Set { return found(ctx, dir) }}.Hooks(ctx)
		}
		f.Reads = reads(a, agent)
		if rt, err := a.runtimes().Find(agent); agent == "copilot" && err == nil && rt.Unpacked() {
			f.Reads.Hooks[inventory.Project] = []string{"/.github/hooks/"}
		}
		claude, copilot := a.runtimeHomes()
		for _, p := range plugins(a, nil).List(ctx) {
			one := listed(p, claude, copilot)
			if one.Why == "" && p.Project != "" && p.Project != dir {
				one.Why = "it is for " + p.Project
			}
			f.Plugins = append(f.Plugins, one)
		}
		return f
	}
}

// reads returns which files of hooks and MCP servers an agent reads: a runtime its own ones, and those that it shares with others. An
// agent at a service reads none of this machine.
func reads(a *app, agent string) inventory.Reads {
	home, copilot := a.runtimeHomes()
	own, _ := a.decisions()
	switch agent {
	case "builtin":
		return inventory.Reads{All: true}
	case "claude":
		return inventory.Reads{Hooks: map[inventory.Scope][]string{inventory.User: {home + "/"}, inventory.Project: {"/.claude/"}},
			Servers: map[inventory.Scope][]string{inventory.User: {own()}, inventory.Project: {"/.mcp.json"}}}
	case "copilot":
		return inventory.Reads{Hooks: map[inventory.Scope][]string{inventory.User: {copilot + "/"}, inventory.Project: {"/.github/", "/.claude/"}},
			Servers: map[inventory.Scope][]string{inventory.User: {copilot + "/"}, inventory.Project: {"/.github/", "/.mcp.json"}}}
	}
	return inventory.Reads{}
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

// extensionKeeper finds and changes what extends agents.
type extensionKeeper struct{ a *app }

var _ inventory.Keeper = extensionKeeper{}

func (k extensionKeeper) Find(ctx context.Context, agent, dir string) inventory.Found {
	return findExtensions(k.a)(ctx, agent, dir)
}

func (k extensionKeeper) Reads(agent string) inventory.Reads { return reads(k.a, agent) }

func (k extensionKeeper) OffIn(id session.ID) inventory.Off { return here(k.a).Off(id) }

func (k extensionKeeper) SwitchIn(id session.ID, agent string, i inventory.Item, on bool) error {
	if agent == "copilot" && i.Kind == inventory.Plugin && i.Switch != "" {
		return &session.Error{Op: "switch the plugin", Kind: session.KindUnsupported, Err: errors.New("plugins of Copilot itself are switched for all sessions")}
	}
	return here(k.a).Set(id, i, on)
}

// here returns what is off in single sessions.
func here(a *app) switches.Here { return switches.Here{Dir: filepath.Join(a.paths.Data, "off")} }

func (k extensionKeeper) Follow(dir string) func(ctx context.Context) bool {
	return watcher(k.a).Follow(dir)
}

func (k extensionKeeper) Switch(ctx context.Context, dir string, i inventory.Item, scope inventory.Scope, on bool) (string, error) {
	if i.Kind != inventory.Plugin || i.Switch != "" {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		return switchPlaces(k.a).Set(ctx, dir, i, scope, on)
	}
	if scope != inventory.User {
		return "", &session.Error{Op: "switch the plugin", Kind: session.KindUnsupported, Err: errors.New("parley's plugins are switched for all directories: choose the scope user")}
	}
	return filepath.Join(k.a.paths.Plugins(), "plugins.json"), plugins(k.a, nil).Switch(ctx, i.Name, on)
}

func (k extensionKeeper) Install(ctx context.Context, source string) (name string, err error) {
	s, end := pluginChanges(k.a)
	p, err := s.Install(ctx, source)
	return p.Name, errors.Join(err, end())
}

func (k extensionKeeper) Update(ctx context.Context, i inventory.Item) (changed bool, err error) {
	s, end := pluginChanges(k.a)
	_, changed, err = s.Update(ctx, cmp.Or(i.Key, i.Name))
	return changed, errors.Join(err, end())
}

func (k extensionKeeper) Remove(ctx context.Context, i inventory.Item) error {
	return plugins(k.a, nil).Remove(ctx, cmp.Or(i.Key, i.Name))
}

// watcher returns what sees changes of the files that extend agents, the same for the whole run. It ends with the run.
func watcher(a *app) *watch.Watcher {
	if a.watched == nil {
		h := watch.Homes{Config: a.paths.Config}
		if a.demo == nil {
			own, _ := a.decisions()
			found := plugins(a, nil)
			h.Home, h.Plugins, h.ClaudeFile = a.getenv("HOME"), a.paths.Plugins(), own()
			h.Claude, h.Copilot = a.runtimeHomes()
			h.PluginDirs = func(ctx context.Context) []string { return plugin.Dirs(ctx, found) }
		}
		if a.managed {
			h.Managed, h.ManagedCopilot = hooks.SystemPlaces()
		}
		a.watched = watch.New(watch.Options{Places: h.Places, Log: a.log})
		a.closing.add(a.watched.Close)
	}
	return a.watched
}

// extends returns what stands for the files that the runtime of an agent reads in a directory.
func extends(a *app, agent string) func(ctx context.Context, dir string) string {
	w := watcher(a)
	return func(ctx context.Context, dir string) string { return w.Look(ctx, dir).Runtime(agent) }
}

// extensionOptions returns what `parley extensions` works with.
func extensionOptions(a *app) extensioncmd.Options {
	return extensioncmd.Options{Out: a.out, Plugins: func() (*plugin.Store, func() error) { return pluginChanges(a) }, Keeper: extensionKeeper{a},
		Where: func() (agent, dir string, err error) {
			dir, err = a.workingDir()
			if agent = a.cfg.Agent; agent == "auto" {
				agent = "builtin"
			}
			return agent, dir, err
		}}
}
