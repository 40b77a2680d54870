package proc

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A program is found on the PATH of the environment, and never by the working directory.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	name := "tool"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := Look([]string{"PATH=rel" + string(filepath.ListSeparator) + dir}, "tool"); err != nil || got != filepath.Join(dir, name) {
		t.Errorf("%q %v", got, err)
	}
	t.Chdir(filepath.Dir(dir))
	for _, path := range []string{filepath.Base(dir), "", os.Getenv("PATH"), t.TempDir()} {
		if got, err := Look([]string{"PATH=" + path}, "tool"); err == nil {
			t.Errorf("%q: %q", path, got)
		}
	}
}
