package permission

import (
	"parley/session"
	"parley/session/toolview"
)

// OnlyReads reports whether a command line surely changes no file, by what parley knows of programs, whichever rules
// and mode there are. It is false for a line that cannot be read.
func (p Policy) OnlyReads(line string) bool {
	p.Mode, p.Rules = session.ModeDefault, nil
	return p.Decide(toolview.Command, session.PermissionAsk{Command: line}).Ruling == Allow
}
