//go:build unix

package proc

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"parley/internal/crash"
)

// guard is a process that waits for the end of parley and then kills everything with its mark.
type guard struct {
	cmd  *exec.Cmd
	line io.WriteCloser
}

// startGuard starts a guard for marks that begin with run. It has a separate session, so that no key or closed terminal ends
// it, inherits only its end of the pipe, and runs in no directory of the user.
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
	// The mark goes through the pipe: in the arguments ps would show it, and the guard would find itself.
	if _, err := io.WriteString(line, MarkVariable+"="+run+"\n"); err != nil {
		_ = line.Close()
		_ = cmd.Wait()
		return nil, err
	}
	return &guard{cmd: cmd, line: line}, nil
}

// dismiss ends the guard and waits for its end.
func (g *guard) dismiss() {
	_, _ = io.WriteString(g.line, "dismissed\n")
	_ = g.line.Close()
	impatient := time.AfterFunc(killWait, crash.Guarded(func() { _ = g.cmd.Process.Kill() }))
	defer impatient.Stop()
	_ = g.cmd.Wait()
}
