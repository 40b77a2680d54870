package cli

import (
	"cmp"
	"path/filepath"

	"parley/session"
	"parley/session/foreign"
)

// foreignOf returns the agents for the sessions of programs that parley does not drive, the same for the whole run.
func foreignOf(a *app) []session.Agent {
	if a.others == nil {
		for _, p := range foreign.All(foreign.Options{Home: a.getenv("HOME"), Getenv: a.getenv, Dir: a.workingDir, Temp: a.paths.Temp()}) {
			a.others = append(a.others, p)
		}
	}
	return a.others
}

// runtimeHomes returns the user's directories of Claude Code and the Copilot CLI, empty if unknown.
func (a *app) runtimeHomes() (claude, copilot string) {
	below := func(name string) string {
		if home := a.getenv("HOME"); home != "" {
			return filepath.Join(home, name)
		}
		return ""
	}
	return cmp.Or(a.cfg.Claude.ConfigDir, a.getenv("CLAUDE_CONFIG_DIR"), below(".claude")), cmp.Or(a.cfg.Copilot.Home, a.getenv("COPILOT_HOME"), below(".copilot"))
}
