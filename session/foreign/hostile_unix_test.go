//go:build unix

package foreign

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestNothingButFiles passes over links, named pipes and folders with the names of sessions, and waits for none.
func TestNothingButFiles(t *testing.T) {
	home := written(t, map[string]string{codexPath(codexID): codexHead + "\n" + codexSaid("user", "hi") + "\n"})
	at := func(n string) string {
		return filepath.Join(home, filepath.Dir(codexPath("")), "rollout-2026-11-29T06-18-33-"+codexID[:35]+n+".jsonl")
	}
	for _, err := range []error{syscall.Mkfifo(at("1"), 0o600), os.Symlink(filepath.Join(home, codexPath(codexID)), at("2")), os.Mkdir(at("3"), 0o700),
		os.Symlink("/dev/zero", at("4")), os.Symlink(filepath.Join(home, ".codex"), filepath.Join(home, ".codex/sessions/2026/12"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if metas, err := programs(t, home, nil)["codex"].Sessions(t.Context()); err != nil || len(metas) != 1 {
		t.Errorf("%+v, %v", metas, err)
	}
}
