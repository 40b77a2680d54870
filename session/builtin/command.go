package builtin

import (
	"context"
	"io"
	"os/exec"
	"time"

	"parley/session/proc"
)

// leftovers is how long the output of a command that has ended may stay open in the hands of its children.
const leftovers = 500 * time.Millisecond

// runCommand runs a command line in a shell and returns when it has ended, with what it has left in its process group.
// When ctx ends before, all that it has started ends with it.
func (w *workspace) runCommand(ctx context.Context, command string, out io.Writer) (proc.Exit, error) {
	c := shell(command)
	c.Dir, c.Env, c.Label = w.dir, commandEnv(w.environ, w.dir), "command"
	// Both outputs go through one pipe, so that they keep their order.
	c.Merge, c.NoInput = true, true
	child, err := w.processes.Start(ctx, c)
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
		_ = child.Kill() // what cannot be killed is not awaited any longer
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

// shell takes bash where there is one, as models write for it.
func shell(command string) proc.Command {
	if bash, err := exec.LookPath("bash"); err == nil {
		return proc.Command{Argv: []string{bash, "-c", command}}
	}
	return plainShell(command)
}
