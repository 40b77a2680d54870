package guard

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// File returns what a call may change in files, without its turn. It reports false for a call that only reads, that names no
// file, or that cannot be read. Relative paths begin in the directory of the call.
func (g Guard) File(c Call) (session.FileCall, bool) {
	var in input
	f := session.FileCall{Call: c.ID, Tool: c.Tool, Input: c.Input}
	if c.ID == "" || json.Unmarshal(c.Input, &in) != nil {
		return f, false
	}
	switch c.kind() {
	case toolview.Command:
		f.Command = cmp.Or(in.Command, in.Code)
		return f, f.Command != "" && !g.policy(c).OnlyReads(f.Command)
	case toolview.Edit, toolview.MCP, toolview.Other:
		for _, path := range []string{in.File, in.Notebook, in.Path} {
			if path = g.absolute(path, c.Dir); path != "" && !slices.Contains(f.Paths, path) {
				f.Paths = append(f.Paths, path)
			}
		}
	}
	return f, len(f.Paths) > 0
}

// absolute returns a path as the runtime reads it, "" for none.
func (g Guard) absolute(path, dir string) string {
	rest, home := strings.CutPrefix(path, "~")
	switch {
	case path == "":
		return ""
	case home && g.Home != "" && (rest == "" || rest[0] == '/'):
		return filepath.Join(g.Home, rest)
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	case dir == "" && len(g.Dirs) > 0:
		dir = g.Dirs[0]
	}
	return filepath.Join(dir, path)
}
