package builtin

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/builtin/files"
	"parley/session/builtin/tool"
	"parley/session/permission"
	"parley/session/toolview"
)

// hidden returns a function that rules on reading a file that a search meets: a search must not show what a read would not.
// It takes the path as written and with its links resolved. It is nil where everything may be read.
func (c *conversation) hidden(ctx context.Context, w *tool.Workspace) func(path, real string) permission.Ruling {
	p := c.policy(ctx, w)
	if p.Mode == session.ModeBypass && !slices.ContainsFunc(p.Rules, func(r permission.Rule) bool { return r.Ruling == permission.Deny }) {
		return nil
	}
	// The walk follows no link, so nothing has to be resolved for each file.
	p.Disk.Resolve = func(path string) (string, error) { return path, nil }
	r := reader{written: p, there: realDirs(p), folders: map[string]bool{}}
	if home, err := filepath.EvalSymlinks(p.Home); err == nil {
		r.there.Home = home
	}
	return r.rule
}

// reader rules on reading the files that one search meets.
type reader struct {
	// written judges paths as they are written, there those where links lead.
	written, there permission.Policy
	// folders are the folders so far by their path. True means that no rule is about what is below.
	folders map[string]bool
}

// rule rules on reading a file. Most files stand in a folder about which no rule is; that is judged once.
func (r reader) rule(path, real string) permission.Ruling {
	dir := filepath.Dir(path)
	free, known := r.folders[dir]
	if !known {
		free = r.judge(toolview.Search, dir, filepath.Dir(real)) == permission.Allow
		r.folders[dir] = free
	}
	if free && !strings.HasPrefix(filepath.Base(path), ".") { // such names may be settings
		return permission.Allow
	}
	return r.judge(toolview.Read, path, real)
}

// judge returns the stricter ruling on a path as written and where it leads.
func (r reader) judge(kind toolview.Kind, path, real string) permission.Ruling {
	ask := session.PermissionAsk{Tool: files.Read.Name, Path: path}
	ruled := r.written.Decide(kind, ask).Ruling
	if ruled == permission.Deny || path == real && slices.Equal(r.written.Dirs, r.there.Dirs) && r.written.Home == r.there.Home {
		return ruled
	}
	ask.Path = real
	if more := r.there.Decide(kind, ask).Ruling; more == permission.Deny || ruled == permission.Allow {
		return more
	}
	return ruled
}
