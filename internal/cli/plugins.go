package cli

import (
	"context"
	"path/filepath"
	"strings"

	"parley/internal/gitrun"
	"parley/session/extensions/inventory"
	"parley/session/extensions/plugin"
	"parley/session/proc"
)

// quietGit are variables with which git takes a repository as data: no hooks, no other programs as transports, no contents from elsewhere.
var quietGit = []string{"GIT_LFS_SKIP_SMUDGE=1", "GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0=/dev/null",
	"GIT_CONFIG_KEY_1=protocol.ext.allow", "GIT_CONFIG_VALUE_1=never"}

// plugins returns the plugins of the user. processes run git for what is installed from a repository; nil: nothing is. The demo has
// no plugins.
func plugins(a *app, processes *proc.Group) *plugin.Store {
	if a.demo != nil {
		return plugin.New(plugin.Options{})
	}
	o := plugin.Options{Dir: a.paths.Plugins(), Home: a.getenv("HOME"), Environ: func() []string { return a.terminals.Newest(a.environ) }}
	o.Claude, o.Copilot = a.runtimeHomes()
	if processes != nil {
		git := gitrun.Git{Group: processes, Environ: a.environ}
		o.Git = func(ctx context.Context, dir string, args ...string) (string, error) {
			return git.Run(ctx, gitrun.Call{Dir: dir, Args: args, Env: quietGit})
		}
	}
	return plugin.New(o)
}

// pluginChanges returns the plugins for a command that changes them, and what ends the processes that it has started.
func pluginChanges(a *app) (s *plugin.Store, end func() error) {
	processes := proc.New(proc.Options{Dir: a.paths.Processes(), Log: a.log})
	return plugins(a, processes), processes.Close
}

// programs are the owners of plugins as people call them.
var programs = map[plugin.Owner]string{plugin.Parley: "parley", plugin.Claude: "Claude Code", plugin.Copilot: "the Copilot CLI"}

// listed returns a plugin for the list of what extends agents. claude and copilot are the user's directories of these programs.
func listed(p plugin.Plugin, claude, copilot string) inventory.Folder {
	settings := filepath.Join(map[plugin.Owner]string{plugin.Claude: claude, plugin.Copilot: copilot}[p.Owner], "settings.json")
	switch p.Scope {
	case "project":
		settings = filepath.Join(p.Project, ".claude", "settings.json")
	case "local":
		settings = filepath.Join(p.Project, ".claude", "settings.local.json")
	}
	f := inventory.Folder{Name: p.Name, Dir: p.Dir, About: p.About, Why: p.Why, Notes: append([]string{"a plugin of " + programs[p.Owner] + " from " + p.Source}, p.Notes...)}
	f.Project = p.Project != ""
	if p.Owner != plugin.Parley {
		f.Key, f.Switch = p.ID(), settings
	}
	if f.Why == "" && !p.Enabled {
		f.Why = "switched off in " + programs[p.Owner]
	}
	var runs []string
	for _, part := range p.Runs() {
		runs = append(runs, string(part.Kind)+" "+part.Name+": "+part.Runs)
	}
	f.Runs = strings.Join(runs, "; ")
	return f
}
