package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	printed "parley/internal/cli/changes"
	"parley/internal/cli/command"
	"parley/session"
	"parley/session/changes/patch"
	"parley/session/clienttools"
	"parley/session/clienttools/lookup"
	"parley/session/live"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/process/scope"
	wordsearch "parley/session/words"
	"parley/ui/attention"
	"parley/ui/editor"
)

// clientTools returns what gives conversations the tools of parley, nil where there are none: a run without a user, in which each of
// them would be refused, and the demo. The desk is that of the screen. The manager is there once a tool is called.
func (a *app) clientTools(unattended bool, edits fileChanges, processes *proc.Group, desk *editor.Desk, manager func() *live.Manager) (func(session.Agent, session.OpenOptions) []session.ClientTool, error) {
	if err := clienttools.CheckOff(a.cfg.Tools.Off); err != nil {
		return nil, command.Usagef("tools.off: %w", err)
	}
	if unattended || a.demo != nil {
		return nil, nil
	}
	o := clienttools.Options{Off: a.cfg.Tools.Off, Search: func(ctx context.Context, q clienttools.Search) ([]clienttools.Found, error) {
		return earlier(ctx, manager(), q)
	}}
	if a.cfg.UI.Notify != "off" {
		o.Notify = attention.Desktop(a.getenv)
	}
	if edits.kept {
		o.Diff = edits.diff
	}
	if o.Open, o.OpenWaits = opens(a, desk); a.screens != nil {
		o.Show = a.screens.Open
	}
	_, decisions := a.decisions()
	if servers := a.languageServers(a.trusted(decisions)); !servers.Off {
		without := func(environ []string) []string { return proc.AgentEnviron(environ, a.cfg.Tools.PassEnv) }
		environ := func(id session.ID) []string { return without(a.terminals.In(id, a.environ)) }
		o.Lookup = lookup.New(lookup.Options{LSP: *servers, Processes: processes, Environ: environ, Home: a.getenv("HOME"),
			Policy: func(dirs []string) permission.Policy {
				return scope.Scope{Dirs: dirs, Home: a.getenv("HOME"), Environ: without(a.terminals.Newest(a.environ)), Rules: a.rulesFor(dirs[0])}.Policy(session.ModeDefault, "", "")
			}}).Tool
	}
	return clienttools.New(o).For, nil
}

// opens returns what opens a file in the user's editor, nil without a terminal, and whether that takes the terminal.
func opens(a *app, desk *editor.Desk) (open func(ctx context.Context, path string, line int) error, waits bool) {
	if a.out.Terminal() == nil {
		return nil, false
	}
	open = editor.FromEnvironment(a.cfg.Editor, a.environ, a.getenv).Window(a.getenv)
	if open == nil && a.cfg.Screen != "plain" {
		return desk.Open, true
	}
	return open, false
}

// diff returns what a session changed in files that stands, as a patch of those that are named, or of all.
func (c fileChanges) diff(ctx context.Context, id session.ID, dir string, files []string) (string, error) {
	all, err := c.Log(id).Changes(ctx)
	if err != nil {
		return "", err
	}
	dir = realPath(dir)
	for i, f := range files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(dir, f)
		}
		files[i] = filepath.Join(realPath(filepath.Dir(f)), filepath.Base(f))
	}
	var b bytes.Buffer
	for _, f := range patch.Net(printed.Standing(all)) {
		if len(files) > 0 && !slices.Contains(files, f.Path) {
			continue
		}
		if err := patch.Write(&b, dir, f, patch.Exact(ctx, c.store)); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// earlier finds earlier sessions of a directory. With the error of the context it returns those found so far.
func earlier(ctx context.Context, m *live.Manager, q clienttools.Search) (all []clienttools.Found, err error) {
	query := wordsearch.New(strings.Fields(q.Words))
	if query == nil {
		return nil, nil
	}
	metas, err := m.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, meta := range metas {
		if len(all) == q.Most || ctx.Err() != nil {
			break
		}
		if meta.Dir != q.Dir || meta.ID == q.Session {
			continue
		}
		hit, ok := m.Find(ctx, query, meta)
		if !ok {
			continue
		}
		f := clienttools.Found{Meta: meta}
		for _, p := range hit.Passages {
			f.Passages = append(f.Passages, p.Text)
		}
		all = append(all, f)
	}
	return all, ctx.Err()
}

// realPath returns a path with its links resolved, or as it is.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}
