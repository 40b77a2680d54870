package cli

import (
	"os"
	"path/filepath"

	"parley/internal/cli/command"
	"parley/session"
	"parley/session/live"
)

// draftOptions returns what a new session begins with, as configured.
func draftOptions(a *app, agent, dir string) (live.DraftOptions, error) {
	o := live.DraftOptions{
		Agent: agent,
		Dir:   dir,
		Settings: session.Settings{Model: a.cfg.Model, Effort: a.cfg.Effort, Mode: session.Mode(a.cfg.PermissionMode),
			Custom: a.asked.Custom},
	}
	for _, d := range a.cfg.AddDirs {
		abs, err := filepath.Abs(d)
		if err != nil {
			return o, command.Usagef("--add-dir %s: %w", d, err)
		}
		if info, err := os.Stat(abs); err != nil || !info.IsDir() {
			return o, command.Usagef("--add-dir %s is not a directory", d)
		}
		o.Dirs = append(o.Dirs, abs)
	}
	return o, nil
}
