package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"parley/internal/crash"
)

// Spawn starts a program apart from this one's terminal and in the root directory, so that it keeps neither a window nor a folder in use.
// The channel says why it ended, nil for a success, and is closed then.
func Spawn(program string, args, environ []string) (ended <-chan error, err error) {
	said, err := nameless() // a pipe would end what writes to it once this process has ended
	if err != nil {
		said = nil
	}
	var cmd *exec.Cmd
	for _, how := range apart() {
		cmd = exec.Command(program, args...)
		cmd.Env, cmd.Dir, cmd.SysProcAttr = environ, filepath.VolumeName(program)+string(filepath.Separator), how
		if said != nil {
			cmd.Stderr = said
		}
		if err = cmd.Start(); err == nil {
			break
		}
	}
	if err != nil {
		if said != nil {
			said.Close()
		}
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
