//go:build unix

package shell

import "parley/session/proc"

func plainShell(command string) proc.Command {
	return proc.Command{Argv: []string{"/bin/sh", "-c", command}}
}
