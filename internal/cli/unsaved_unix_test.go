//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A journal that can't grow any further, at whatever length, is warned of once; the answer comes all the same.
func TestRunsSayThatTheJournalStopped(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(talkative)
	for _, blocks := range []int{0, 1, 2, 3} {
		// A block of this limit has 512 or 1,024 bytes.
		cmd := exec.CommandContext(t.Context(), "sh", "-c", fmt.Sprintf(`ulimit -f %d && exec "$0" -p hello`, blocks), os.Args[0])
		cmd.Env, cmd.Dir = append([]string{asParley + "=1"}, w.env...), w.dir
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		if err != nil || out.String() != "You said: hello\n" || strings.Count(errs.String(), "not saved") != 1 {
			t.Errorf("%d blocks: %v, %q, %q", blocks, err, out.String(), errs.String())
		}
	}
}
