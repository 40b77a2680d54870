package guard

import (
	"cmp"
	"encoding/json"
	"slices"

	"parley/session"
	"parley/session/permission"
	"parley/session/process/scope"
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
	case toolview.Edit, toolview.MCP, toolview.Other:
		for _, path := range []string{in.File, in.Notebook, in.Path} {
			if path = g.Absolute(path, c.Dir); path != "" && !slices.Contains(f.Paths, path) {
				f.Paths = append(f.Paths, path)
			}
		}
	}
	return f, scope.Touches(f, func() permission.Policy { return g.policy(c) })
}
