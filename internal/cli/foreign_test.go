package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"parley/config"
	"parley/session/trust"
)

// TestTrustedDir returns the working directory only once the user has agreed to what it brings.
func TestTrustedDir(t *testing.T) {
	dir := t.TempDir()
	a := &app{paths: config.Paths{State: t.TempDir()}, environ: []string{"HOME=" + t.TempDir()}, log: slog.New(slog.DiscardHandler)}
	t.Chdir(dir)
	var err error
	if a.cfg, err = config.Load(config.Source{Environ: a.environ}); err != nil {
		t.Fatal(err)
	}
	if got, err := trust.Agreed(a.workingDir, a.instructed()); err == nil {
		t.Errorf("a directory that brings nothing: %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("Be kind."), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := trust.Agreed(a.workingDir, a.instructed()); err == nil {
		t.Errorf("before it is trusted: %q", got)
	}
	said := a.instructed()
	items, err := said.Untrusted(t.Context(), dir)
	if err != nil || len(items) == 0 {
		t.Fatal(items, err)
	}
	if err := said.Trust(t.Context(), dir, items, true); err != nil {
		t.Fatal(err)
	}
	if got, err := trust.Agreed(a.workingDir, a.instructed()); err != nil || got != dir {
		t.Errorf("%q, %v", got, err)
	}
}
