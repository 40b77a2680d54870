//go:build unix

package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"parley/internal/crash"
)

// Spawn starts a program in a session of its own, without a terminal and in the root directory, so that it keeps neither a window nor a
// folder in use. The channel says why it ended, nil for a success, and is closed then.
func Spawn(program string, args, environ []string) (ended <-chan error, err error) {
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = environ, "/", &syscall.SysProcAttr{Setsid: true}
	said, err := os.CreateTemp("", "parley-host-") // a pipe would end what writes to it once this process has ended
	if err == nil {
		_ = os.Remove(said.Name())
		cmd.Stderr = said
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	crash.Go(func() {
		defer close(done)
		done <- why(cmd.Wait(), said)
	})
	return done, nil
}

// maxSaid bounds what is read of the messages of a program that failed, in bytes.
const maxSaid = 4 << 10

// why returns the cause of a failure with the first line of what the program said, and closes that file; nil for a success.
func why(err error, said *os.File) error {
	if said == nil {
		return err
	}
	defer said.Close()
	if err == nil {
		return nil
	}
	text, _ := io.ReadAll(io.NewSectionReader(said, 0, maxSaid))
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if line = strings.TrimPrefix(line, "parley: "); line == "" {
		return fmt.Errorf("it ended: %w", err)
	}
	return errors.New(line)
}
