package safefs

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A file is replaced, and a file that cannot be leaves nothing behind.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	for _, write := range []func(string, []byte) error{WriteFile, WriteFileSync} {
		for _, text := range []string{"old", "new"} {
			if err := write(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); string(got) != text || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		}
		if err := write(dir, nil); err == nil {
			t.Error("a directory was replaced")
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
