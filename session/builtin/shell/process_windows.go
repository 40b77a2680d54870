package shell

import "parley/session/proc"

func plainShell(command string) proc.Command {
	return proc.Command{Argv: []string{"cmd.exe"}, Raw: `cmd.exe /d /s /c "` + command + `"`}
}
