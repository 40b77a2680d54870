//go:build unix

package files

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"parley/session/builtin/tool/tooltest"
)

// Folders that may be passed through but not listed are passed through.
func TestAFolderThatMayOnlyBePassedThrough(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("only Linux has a way to open these")
		return
	}
	b := tooltest.New(t, map[string]string{"closed/open/a": "one\n"})
	closed := filepath.Join(b.W.Dir, "closed")
	if err := os.Chmod(closed, 0o100); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o700) })
	if got := b.Run(Read, tooltest.Obj{"file_path": "closed/open/a"}); got.Result.Text != "1\tone\n" {
		t.Errorf("%+v", got)
	}
}
