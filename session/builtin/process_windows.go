package builtin

import (
	"io/fs"

	"parley/session/proc"
)

func plainShell(command string) proc.Command {
	return proc.Command{Argv: []string{"cmd.exe"}, Raw: `cmd.exe /d /s /c "` + command + `"`}
}

// umask returns 0: Windows has none.
func umask() fs.FileMode { return 0 }
