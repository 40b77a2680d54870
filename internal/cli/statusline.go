package cli

import (
	"cmp"
	"context"
	"path/filepath"

	"parley/session/proc"
	"parley/session/trust"
	"parley/ui/statusline"
)

// statusLine runs the status line command that the settings of Claude Code name.
type statusLine struct {
	proc.Shell
	config  string // the directory of those settings, "" if it is not known
	trusted *trust.Store
}

// newStatusLine returns the status line, nil if the user does not want one. What it runs gets no GitHub token, because a
// directory's settings may name it.
func newStatusLine(a *app, processes *proc.Group) statusline.Source {
	if !a.cfg.UI.StatusLine || a.demo != nil {
		return nil
	}
	home := a.getenv("HOME")
	l := statusLine{Shell: proc.Shell{Group: processes, Environ: proc.AgentEnviron(a.environ, a.cfg.Tools.PassEnv)},
		config: cmp.Or(a.cfg.Claude.ConfigDir, a.getenv("CLAUDE_CONFIG_DIR")), trusted: trust.New(trust.Options{Dir: a.paths.Trust(), Home: home})}
	if l.config == "" && home != "" {
		l.config = filepath.Join(home, ".claude")
	}
	return l
}

// Find returns the command for a directory.
func (l statusLine) Find(ctx context.Context, dir string) (statusline.Command, bool) {
	trusted, err := l.trusted.Trusted(dir)
	return statusline.Find(ctx, statusline.Places{Config: l.config, Dir: dir}, err == nil && trusted)
}
