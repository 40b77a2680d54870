//go:build unix

package runtimes

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

func shell(script string) command {
	return command{argv: []string{"/bin/sh", "-c", script}, env: os.Environ(), limit: 100}
}

// What a process has started ends with it, also where it has left the process group and holds the pipes open. That nothing
// is left is looked at when the tests of the package are over.
func TestRunLeavesNothing(t *testing.T) {
	detach := "sleep 1000 & "
	if _, err := os.Stat("/usr/bin/setsid"); err == nil {
		detach = "setsid sleep 1000 & "
	}
	out, err := run(t.Context(), shell(detach+"echo said; echo complained >&2; exit 3"))
	if err == nil || err.Error() != "exit status 3" || string(out.stdout) != "said\n" || string(out.stderr) != "complained\n" {
		t.Errorf("%q %q %v", out.stdout, out.stderr, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	reached := t.TempDir() + "/reached"
	go func() {
		for {
			if _, err := os.Stat(reached); err == nil || ctx.Err() != nil {
				cancel()
				return
			}
		}
	}()
	if _, err := run(ctx, shell(detach+"touch "+reached+"; sleep 1000")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestRunTells(t *testing.T) {
	if out, err := run(t.Context(), shell("yes | head -c 100000")); err != nil || len(out.stdout) != 100 {
		t.Errorf("%d bytes, %v", len(out.stdout), err)
	}
	if _, err := run(t.Context(), shell("kill -9 $$")); err == nil || !strings.HasPrefix(err.Error(), "signal: ") {
		t.Error(err)
	}
	if _, err := run(t.Context(), command{argv: []string{"/no/such/program"}}); err == nil || strings.Contains(err.Error(), "/no/such") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run(ctx, shell("true")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
