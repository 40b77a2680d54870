package shell

import (
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"time"

	"parley/session/builtin/tool"

	"parley/session/proc"
)

// leftovers bounds the wait for output of children after the end of a command.
const leftovers = 500 * time.Millisecond

// runCommand runs a command line in a shell and returns once the command and its process group have ended. When ctx
// ends first, everything that the command started ends too.
func runCommand(w *tool.Workspace, ctx context.Context, command string, out io.Writer) (proc.Exit, error) {
	c := shell(w, command)
	c.Dir, c.Env, c.Label = w.Dir, commandEnv(w.Environ, w.Dir), "command"
	// Both outputs share one pipe, which preserves their order.
	c.Merge, c.NoInput = true, true
	child, err := w.Processes.Start(ctx, c)
	if err != nil {
		return proc.Exit{}, err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(out, child.Stdout()) // ends with the command, or below
	}()
	select {
	case <-child.Done():
	case <-ctx.Done():
		_ = child.Kill() // do not wait for a process that cannot be killed
	}
	timer := time.NewTimer(leftovers)
	defer timer.Stop()
	select {
	case <-read:
	case <-timer.C:
	}
	_ = child.Stdout().Close()
	<-read
	select {
	case <-child.Done():
		return child.Exit(), nil
	default:
		return proc.Exit{Code: -1, Signal: "killed"}, nil
	}
}

// FindBash returns bash, "" if it is not installed. Models write for it. It is looked up once for a conversation, so that
// the shell that runs a command is the one by which the policy has read it.
func FindBash() string {
	bash, err := exec.LookPath("bash")
	if err != nil {
		return ""
	}
	return bash
}

// Name names the shell that runs commands, as the policy has it: "" for one that it cannot judge.
func Name(w *tool.Workspace) string {
	switch filepath.Base(shell(w, "").Argv[0]) {
	case "bash":
		return "bash"
	case "sh":
		return "sh"
	}
	return ""
}

// shell returns a shell for a command.
func shell(w *tool.Workspace, command string) proc.Command {
	if w.BashPath != "" {
		return proc.Command{Argv: []string{w.BashPath, "-c", command}}
	}
	return plainShell(command)
}
