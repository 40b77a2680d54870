package cli

import (
	"context"
	"path/filepath"
	"slices"

	"parley/internal/cli/command"
	"parley/session"
	"parley/session/agentfiles"
	"parley/session/builtin/instruct"
	"parley/session/extensions"
	"parley/session/extensions/skill"
	"parley/session/extensions/style"
	"parley/session/trust"
	"parley/ui/keymap"
)

// customs returns what finds custom agents. trusted reports whether those of a directory's repository may be used. The demo has
// none of the user's.
func (a *app) customs(trusted func(dir string) bool) *agentfiles.Finder {
	return agentfiles.New(a.customOptions(trusted))
}

func (a *app) customOptions(trusted func(dir string) bool) agentfiles.Options {
	o := agentfiles.Options{ConfigDir: a.paths.Config, Trusted: trusted}
	if a.demo == nil {
		o.Home = a.getenv("HOME")
		o.ClaudeDir, o.CopilotDir = a.runtimeHomes()
		o.Plugins = plugins(a, nil).Agents
	}
	return o
}

// runtimeCustoms returns what finds custom agents for a runtime, which starts every server that it is given with an agent.
func (a *app) runtimeCustoms(trusted func(dir string) bool) *agentfiles.Finder {
	o := a.customOptions(trusted)
	o.Refuses = func(dir string, c session.CustomAgent) bool {
		return extensions.Refused(dir, a.getenv("HOME"), c, trusted(dir)) != ""
	}
	return agentfiles.New(o)
}

// skills returns what finds skills and commands. trusted reports whether those of a directory's repository may be used. The demo
// has none of the user's.
func (a *app) skills(trusted func(dir string) bool) *skill.Finder {
	o := skill.Options{ConfigDir: a.paths.Config, Trusted: trusted}
	for _, c := range keymap.Commands {
		o.Reserved = append(o.Reserved, c.Name)
	}
	if a.demo == nil {
		o.Home = a.getenv("HOME")
		o.ClaudeDir, o.CopilotDir = a.runtimeHomes()
		o.Plugins = plugins(a, nil).Skills
		o.Off = func(ctx context.Context, dir string, trusted bool) func(name, file string) (word, settings string) {
			return switchPlaces(a).Skills(ctx, dir, trusted)
		}
	}
	return skill.New(o)
}

// styles returns what finds output styles for the builtin agent, nil for the demo.
func (a *app) styles() *style.Finder {
	if a.demo != nil {
		return nil
	}
	claude, _ := a.runtimeHomes()
	return &style.Finder{Dirs: slices.DeleteFunc([]string{claude, a.paths.Config}, func(dir string) bool { return dir == "" }), Trusted: a.trusted(a.instructed())}
}

// instructed returns what the user said about what the builtin agent would read of projects: their instructions, custom
// agents, skills, MCP servers and hooks.
func (a *app) instructed() *trust.Store {
	files, agents, skills := instruct.Lister(a.getenv("HOME")), a.customs(nil), skill.New(skill.Options{Home: a.getenv("HOME")})
	return trust.New(trust.Options{Dir: filepath.Join(a.paths.Trust(), "instructions"), Home: a.getenv("HOME"), Servers: true, Hooks: true, Agents: agents.Brought,
		List: func(ctx context.Context, dir string) []session.RepositoryItem {
			return slices.Concat(files(ctx, dir), agents.Items(ctx, dir), skills.Items(ctx, dir), style.Items(ctx, dir))
		}})
}

// builtinCustoms returns what finds custom agents for the builtin agent: those of a repository are used once the user has agreed
// to it, for this agent or for all that it brings.
func (a *app) builtinCustoms(trusted func(dir string) bool) *agentfiles.Finder {
	agreed := a.trusted(a.instructed())
	return a.customs(func(dir string) bool { return trusted(dir) || agreed(dir) })
}

// checkCustom refuses a custom agent of the flag that cannot be used in a directory.
func (a *app) checkCustom(ctx context.Context, dir string) error {
	if a.asked.Custom == "" {
		return nil
	}
	_, decisions := a.decisions()
	if _, err := a.builtinCustoms(a.trusted(decisions)).Chosen(ctx, dir, a.asked.Custom); err != nil {
		return command.Usagef("--agent-file: %w", err)
	}
	return nil
}
