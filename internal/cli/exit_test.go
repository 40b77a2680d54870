package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
)

// A reader that has had enough, as in "parley sessions list | head -1", is no reason to complain; any other broken pipe is.
func TestReadersMayLeave(t *testing.T) {
	for path, silent := range map[string]bool{os.Stdout.Name(): true, "/tmp/fifo": false} {
		var said bytes.Buffer
		a := &app{err: output.Messages(&said, nil)}
		err := fmt.Errorf("list: %w", &fs.PathError{Op: "write", Path: path, Err: syscall.EPIPE})
		if code := exitCode(a, nil, err); code != int(command.ExitFailed) || (said.Len() == 0) != silent {
			t.Errorf("%s: exit %d, says %q", path, code, said.String())
		}
	}
}
