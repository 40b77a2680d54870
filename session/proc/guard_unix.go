//go:build unix

package proc

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// guard is a process that waits until we are gone and then kills what is marked as ours.
type guard struct {
	cmd  *exec.Cmd
	line io.WriteCloser
}

// startGuard starts a guard for everything whose mark begins with run. It has a session of its own, so that no key and no
// closed terminal ends it, holds none of our files but its end of the pipe, and stands in no directory of the user.
func startGuard(run string) (*guard, error) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(sh, "-c", guardScript)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH") + ":/usr/bin:/bin", guardVariable + "=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	line, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	// The mark goes through the pipe and not into the arguments, where ps would show it and the guard find itself.
	if _, err := io.WriteString(line, MarkVariable+"="+run+"\n"); err != nil {
		_ = line.Close()
		_ = cmd.Wait()
		return nil, err
	}
	return &guard{cmd: cmd, line: line}, nil
}

// dismiss tells the guard that nothing is left to do and waits for its end.
func (g *guard) dismiss() {
	_, _ = io.WriteString(g.line, "dismissed\n")
	_ = g.line.Close()
	impatient := time.AfterFunc(killWait, func() { _ = g.cmd.Process.Kill() })
	defer impatient.Stop()
	_ = g.cmd.Wait()
}
