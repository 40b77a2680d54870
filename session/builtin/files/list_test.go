package files

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

// Read of a directory shows what it has, folders marked, and no more than a part of a large one.
func TestReadListsDirectories(t *testing.T) {
	b := tooltest.New(t, map[string]string{"d/z.go": "", "d/.env": "", "d/sub/x": "", "other": ""})
	if err := os.Mkdir(filepath.Join(b.W.Dir, "none"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(b.W.Dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"d": ".env\nsub/\nz.go\n", "d/": ".env\nsub/\nz.go\n", "none": "(the directory is empty)\n", ".": "d/\ndangling\nnone/\nother\n",
		"dangling": "dangling does not exist. It is a link to something that does not exist.",
	} {
		got := b.Run(Read, tooltest.Obj{"file_path": path})
		if got.Result.Text != want || (got.How == session.ToolOK) != (path != "dangling") {
			t.Errorf("%s: %s %q", path, got.How, got.Result.Text)
		}
	}
	for i := range maxListed + 20 {
		b.Write(fmt.Sprintf("many/%d", i), "")
	}
	got := b.Run(Read, tooltest.Obj{"file_path": "many"}).Result
	if !got.Truncated || strings.Count(got.Text, "\n") != maxListed+1 || !strings.Contains(got.Text, "(500 of 520; find the others with Glob)") {
		t.Errorf("%s", got.Summary)
	}
}
