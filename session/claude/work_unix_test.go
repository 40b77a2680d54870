//go:build unix

package claude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Nothing is read outside of the runtime's directory, through a link, or from what is no file; of much output, the end.
func TestOutputFiles(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{filepath.Join(dir, "good"): "good\n", filepath.Join(other, "secret"): "secret\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	links := map[string]string{"link": filepath.Join(other, "secret"), "inner": filepath.Join(dir, "good"), "dir": other}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "good"): "good\n", filepath.Join(dir, "link"): "", filepath.Join(dir, "inner"): "", filepath.Join(dir, "folder"): "",
		filepath.Join(dir, "dir", "secret"): "", filepath.Join(other, "secret"): "", filepath.Join(dir, "..", filepath.Base(other), "secret"): "",
		filepath.Join(dir, "none"): "", "": "", "relative": "",
	} {
		if text, _ := moreOf(dir, path, 0); text != want {
			t.Errorf("%s: %q", path, text)
		}
		if text := endOf(dir, path); text != want {
			t.Errorf("the end of %s: %q", path, text)
		}
	}
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, []byte(strings.Repeat("line\n", followBytes)+"last\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, to := moreOf(dir, big, 3)
	if len(text) > followBytes+100 || !strings.HasPrefix(text, "\n… output left out …\nline\n") || !strings.HasSuffix(text, "line\nlast\n") || to != int64(5*followBytes+5) {
		t.Errorf("%d bytes to %d, %q", len(text), to, text[:30])
	}
}
