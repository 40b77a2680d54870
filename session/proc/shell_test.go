//go:build unix

package proc_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session/proc"
)

// TestUserShell runs lines as the user's own shell does: with their environment, in the directory, with what they wrote in
// its order, and ends what is stopped or left behind.
func TestUserShell(t *testing.T) {
	group := proc.New(proc.Options{Dir: t.TempDir(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	defer group.Close()
	dir := t.TempDir()
	run := proc.Shell{Group: group, Environ: []string{"PATH=" + os.Getenv("PATH"), "MINE=yes", "GH_TOKEN=mine", "SHELL=/bin/sh"}}.Run
	said := func(ctx context.Context, line string) (string, int, error) {
		var mu sync.Mutex
		var b strings.Builder
		status, err := run(ctx, dir, line, func(p []byte) { mu.Lock(); defer mu.Unlock(); b.Write(p) })
		return b.String(), status, err
	}
	out, status, err := said(t.Context(), "echo $MINE $GH_TOKEN; echo bad >&2; pwd; exit 3")
	real, _ := filepath.EvalSymlinks(dir)
	if lines := strings.Split(out, "\n"); err != nil || status != 3 || len(lines) != 4 || lines[0] != "yes mine" || lines[1] != "bad" ||
		lines[2] != dir && lines[2] != real {
		t.Errorf("%q, %d, %v", out, status, err)
	}
	if out, status, err := said(t.Context(), "sleep 60 & echo there"); err != nil || status != 0 || out != "there\n" {
		t.Errorf("with something in the background: %q, %d, %v", out, status, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		time.Sleep(50 * time.Millisecond)
		cancel()
	}()
	if _, _, err := said(ctx, "sleep 60"); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	run = proc.Shell{Group: group, Environ: []string{"SHELL=/no/such/shell"}}.Run
	if _, _, err := said(t.Context(), "true"); err == nil {
		t.Error("a shell that is not there ran")
	}
}
