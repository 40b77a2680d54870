package cli

import (
	"cmp"
	"context"
	"path/filepath"

	"parley/internal/cli/command"
	"parley/session"
	"parley/session/agentfiles"
	"parley/session/builtin/instruct"
	"parley/session/trust"
)

// customs returns what finds custom agents. trusted reports whether those of a directory's repository may be used. The demo has
// none of the user's.
func (a *app) customs(trusted func(dir string) bool) *agentfiles.Finder {
	o := agentfiles.Options{ConfigDir: a.paths.Config, Trusted: trusted}
	if a.demo == nil {
		o.Home = a.getenv("HOME")
		below := func(name string) string {
			if o.Home == "" {
				return ""
			}
			return filepath.Join(o.Home, name)
		}
		o.CopilotDir = cmp.Or(a.cfg.Copilot.Home, a.getenv("COPILOT_HOME"), below(".copilot"))
		o.ClaudeDir = cmp.Or(a.cfg.Claude.ConfigDir, a.getenv("CLAUDE_CONFIG_DIR"), below(".claude"))
	}
	return agentfiles.New(o)
}

// instructed returns what the user said about what the builtin agent would read of projects: their instructions and custom
// agents.
func (a *app) instructed() *trust.Store {
	files, agents := instruct.Lister(a.getenv("HOME")), a.customs(nil)
	return trust.New(trust.Options{Dir: filepath.Join(a.paths.Trust(), "instructions"), Home: a.getenv("HOME"), Servers: true,
		List: func(ctx context.Context, dir string) []session.RepositoryItem {
			return append(files(ctx, dir), agents.Items(ctx, dir)...)
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
