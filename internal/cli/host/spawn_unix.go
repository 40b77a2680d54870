//go:build unix

package host

import (
	"os/exec"
	"syscall"

	"parley/internal/crash"
)

// Spawn starts a program in a session of its own, without a terminal and in the root directory, so that it keeps neither a window nor a
// folder in use. The channel is closed once it has ended.
func Spawn(program string, args, environ []string) (ended <-chan struct{}, err error) {
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = environ, "/", &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	crash.Go(func() {
		defer close(done)
		_ = cmd.Wait() // its log says what went wrong
	})
	return done, nil
}
