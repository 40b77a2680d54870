//go:build unix

package core

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"parley/ui/files"
	"parley/ui/textarea"
)

// Lines of a pipe or a device are not waited for: such a mention stays words.
func TestMentionsOfPipesAndDevicesAreNotRead(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero")); err != nil {
		t.Fatal(err)
	}
	tr := files.NewTree(files.TreeOptions{Dir: dir})
	for _, path := range []string{"pipe", "zero", filepath.Join(dir, "pipe")} {
		if all, said := mentioned(t.Context(), tr, []textarea.Mention{{Path: path, First: 1, Last: 2}}, ""); len(all) != 0 || len(said) != 0 {
			t.Errorf("%s: %+v, %q", path, all, said)
		}
		if _, _, err := files.ReadImage(t.Context(), filepath.Join(dir, filepath.Base(path))); err == nil {
			t.Errorf("%s is an image", path)
		}
	}
	if _, data, err := files.ReadImage(t.Context(), "/proc/self/pagemap"); err == nil {
		t.Errorf("%d bytes of an image", len(data))
	}
}
