package cli

import (
	"cmp"
	"path/filepath"
)

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
