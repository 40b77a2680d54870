package permission_test

import (
	"cmp"

	"parley/session/permission"
)

// whatRuns returns the text that a shell runs for a line that is allowed.
func whatRuns(d permission.Decision, line string) string { return cmp.Or(d.Run, line) }
