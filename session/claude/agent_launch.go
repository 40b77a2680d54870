package claude

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/mapper"
	"parley/session/clienttools"
	"parley/session/extensions/inventory"
)

// launch is how a runtime of a conversation is started.
type launch struct {
	driver.Launch
	models []session.Model // of the login, nil if unknown
	// tools are the tools of parley that it gets of those that the conversation was given.
	tools, given []session.ClientTool
	// extends stands for the files that it reads, as they were before it started.
	extends string
}

// launch returns how to start the runtime of a conversation. id is the conversation's id in the runtime's files,
// which differs from ours after the user cleared the conversation.
func (a *Agent) launch(ctx context.Context, o session.OpenOptions, id session.ID, s session.Settings) (launch, error) {
	extends, off := extendsOf(ctx, a, o), a.o.Off(o.Session)
	program, err := a.o.Runtime(ctx)
	if err != nil {
		return launch{}, err
	}
	if a.o.TempDir != "" {
		if err := os.MkdirAll(a.o.TempDir, 0o700); err != nil {
			return launch{}, &session.Error{Op: opOpen, Kind: session.KindDisk, Err: err}
		}
	}
	models, err := a.o.Models(ctx)
	if err != nil {
		models = nil // the first request reports the problem
	}
	var plugins []string
	if a.o.Plugins != nil {
		plugins = off.Folders(a.o.Plugins(ctx))
	}
	agents, chosen, err := a.agents(ctx, o.Dir, s.Custom, plugins, models)
	if err != nil {
		return launch{}, err
	}
	wanted, effort := s.Model, s.Effort
	if chosen != nil {
		wanted, effort = cmp.Or(s.Model, chosen.PickModel(models)), cmp.Or(s.Effort, chosen.Effort)
	}
	model := chooseModel(models, wanted)
	trusted, managed := a.o.Trusted(o.Dir), a.o.Managed()
	var servers json.RawMessage
	if !trusted && !managed {
		servers = without(a.o.OwnServers(o.Dir), off)
	}
	l := driver.Launch{
		Program: program.Argv, Version: program.Version,
		Dir: o.Dir, Dirs: slices.Clone(s.Dirs.Or(o.Dirs)),
		Session: string(id), Resume: a.stored(id),
		Model: spelledFor(models, model), Effort: session.EffortFor(models, model, effort), Mode: string(cmp.Or(s.Mode, session.ModeDefault)),
		AllowBypass: true, Root: os.Geteuid() == 0, Trusted: trusted, Managed: managed, Servers: servers,
		BaseURL: o.Endpoint.BaseURL, Bearer: o.Endpoint.Bearer,
		ConfigDir: a.o.ConfigDir, TempDir: a.o.TempDir, Environ: a.o.Terminals.In(o.Session, a.o.Environ), PassEnv: a.o.PassEnv, HookEvents: true,
		Agents: agents, PluginDirs: plugins, SkillsOff: off.Names(inventory.Skill, inventory.Command), PluginsOff: off.Keys(),
		SmallModel: mapper.RuntimeModel(smallModel(models, model)),
	}
	if !slices.ContainsFunc(models, func(m session.Model) bool { return m.Searches }) {
		l.Disallowed = []string{"WebSearch"} // it would run on Anthropic's servers; the proxy searches with such a model
	}
	a.instruct(ctx, &l)
	a.skills(ctx, &l, off)
	if chosen != nil {
		hold(&l, *chosen)
	}
	tools := offered(o.Tools, chosen)
	if len(tools) > 0 && !managed { // the administrator decides about all servers
		l.ToolServer = clienttools.Name
	}
	return launch{l, models, tools, o.Tools, extends}, nil
}

// without returns servers without those of plugins that are off, which are handed over under their names.
func without(servers json.RawMessage, off inventory.Off) json.RawMessage {
	var all map[string]json.RawMessage
	plugins := off.Names(inventory.Plugin)
	if len(plugins) == 0 || json.Unmarshal(servers, &all) != nil {
		return servers
	}
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool {
		return slices.ContainsFunc(plugins, func(plugin string) bool { return strings.HasPrefix(name, "plugin_"+plugin+"_") })
	})
	out, _ := json.Marshal(all) // valid JSON always marshals
	return out
}

// extendsOf returns what stands for the files that the runtime of a conversation reads, and for what is off in its session.
func extendsOf(ctx context.Context, a *Agent, o session.OpenOptions) string {
	return a.o.Extends(ctx, o.Dir) + fmt.Sprint(a.o.Off(o.Session))
}

// chooseModel returns the user's choice, else the login's default if it is a Claude model, else the newest Claude of the
// middle size, else any Claude. It is empty if no model is known.
func chooseModel(models []session.Model, wanted string) string {
	if wanted != "" {
		return wanted
	}
	best := ""
	for _, m := range models {
		switch {
		case !strings.HasPrefix(m.ID, "claude-") || m.Unusable != "":
		case m.Default:
			return m.ID
		case rank(m.ID) > rank(best) || rank(m.ID) == rank(best) && m.ID > best:
			best = m.ID
		}
	}
	return best
}

// rank prefers the middle size.
func rank(model string) int {
	switch {
	case model == "":
		return 0
	case strings.Contains(model, "sonnet"):
		return 3
	case strings.Contains(model, "haiku"):
		return 1
	}
	return 2
}

// smallModel returns the model for titles and other small requests of the runtime: the newest small Claude of the login,
// else the model of the conversation.
func smallModel(models []session.Model, model string) string {
	best := ""
	for _, m := range models {
		if strings.HasPrefix(m.ID, "claude-") && strings.Contains(m.ID, "haiku") && m.Unusable == "" && m.ID > best {
			best = m.ID
		}
	}
	return cmp.Or(best, model)
}
