package git

import (
	"os"
	"path/filepath"
	"testing"
)

func TestBranch(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("repo/.git/HEAD", "ref: refs/heads/feature/x\n")
	put("repo/deep/down/file", "")
	put("detached/.git/HEAD", "0123456789abcdef\n")
	put("store/worktrees/w/HEAD", "ref: refs/heads/w\n")
	put("worktree/.git", "gitdir: ../store/worktrees/w\n")
	for dir, want := range map[string]string{
		"repo": "feature/x", "repo/deep/down": "feature/x", "detached": "0123456", "worktree": "w",
	} {
		if got := Branch(t.Context(), filepath.Join(root, filepath.FromSlash(dir))); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
