//go:build unix

package ui

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"parley/session"
	"parley/ui/compose"
	"parley/ui/files"
)

// Lines of what is not a file are not waited for: it goes along as a path, which the agent looks at itself.
func TestMentionsOfPipesAndDevicesAreNotRead(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero")); err != nil {
		t.Fatal(err)
	}
	tr := &tree{dir: dir, open: files.OnDisk}
	for _, path := range []string{"pipe", "zero", filepath.Join(dir, "pipe")} {
		all := mentioned(t.Context(), tr, []compose.Mention{{Path: path, First: 1, Last: 2}})
		if len(all) != 1 || all[0].Kind != session.AttachFile || all[0].Text != "" {
			t.Errorf("%s: %+v", path, all)
		}
		if _, _, err := readImage(t.Context(), filepath.Join(dir, filepath.Base(path))); err == nil {
			t.Errorf("%s is an image", path)
		}
	}
	if _, data, err := readImage(t.Context(), "/proc/self/pagemap"); err == nil {
		t.Errorf("%d bytes of an image", len(data))
	}
}
