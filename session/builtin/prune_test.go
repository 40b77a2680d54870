package builtin

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestPruneOutputs(t *testing.T) {
	dir := t.TempDir()
	limit := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for name, at := range map[string]time.Time{"old.txt": limit.Add(-time.Hour), "new.txt": limit.Add(time.Hour)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	pruneOutputs(dir, limit)
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != "new.txt" {
		t.Errorf("left %v, %v", left, err)
	}
	pruneOutputs(filepath.Join(dir, "gone"), limit) // nothing to do is no trouble
}
