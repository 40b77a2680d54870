package cli

import (
	"fmt"

	"parley/config"
	"parley/session/store"
)

// exposed returns a warning for each directory of sessions, drafts and changes that other users can write to.
func exposed(paths config.Paths) []string {
	var out []string
	for _, dir := range store.Exposed(paths.Data, paths.Sessions(), paths.Composer(), paths.Edits(), paths.FileImages(), paths.State, paths.Locks()) {
		out = append(out, fmt.Sprintf("Other users can write to %s, and so change your sessions. Run: chmod go-w %s", dir, dir))
	}
	return out
}
