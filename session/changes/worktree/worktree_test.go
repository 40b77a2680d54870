package worktree

import (
	"os"
	"path/filepath"
	"testing"
)

func TestChangesOfACommandInARepository(t *testing.T) {
	dir := isolated(t)
	runGit(t, dir, "init", "-q")
	write(t, dir, "clean", "clean\n", "edited", "staged\n", "removed", "removed\n", "mode", "mode\n", "touched", "touched\n", "sub/deep/file", "deep\n",
		"linked", "linked\n", ".gitignore", "*.o\nbuild/\n!keep.o\n", "tracked.o", "tracked\n", "build/tracked", "inside\n", "gone/a", "a\n", "gone/b", "b\n")
	runGit(t, dir, "add", "-f", ".")
	runGit(t, dir, "commit", "-qm", "first")
	write(t, dir, "edited", "not staged\n", "new", "untracked\n", "x.o", "ignored\n", "build/y", "ignored\n", "keep.o", "kept\n")
	tree := newTree(t, filepath.Join(dir, "sub"))
	for _, late := range []bool{false, true} {
		if late {
			tree.later()
		}
		s := tree.Look(t.Context())
		if got := show(t, tree, dir, tree.Compare(t.Context(), s)); got != "" {
			t.Fatalf("nothing changed, but:\n%s", got)
		}
	}
	s := tree.Look(t.Context())
	write(t, dir, "clean", "dirty\n", "edited", "by the command\n", "new", "changed\n", "x.o", "also changed\n", "build/y", "too\n", "tracked.o", "changed\n",
		"build/tracked", "changed\n", "keep.o", "changed\n", "a/b/c", "created\n", "touched", "touched\n")
	remove(t, dir, "removed", "linked", "gone")
	if err := os.Chmod(filepath.Join(dir, "mode"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("clean", filepath.Join(dir, "linked")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "gone", "a file\n")
	want := `a/b/c: - | created
 +a +a/b
build/tracked: inside
 | changed

clean: clean
 | dirty

edited: not staged
 | by the command

gone: - | a file

gone/a: a
 | -
gone/b: b
 | -
keep.o: kept
 | changed

linked: linked
 | ->clean
mode: mode
 | mode
(-rwxr-xr-x)
new: untracked
 | changed

removed: removed
 | -
tracked.o: tracked
 | changed

`
	if got := show(t, tree, dir, tree.Compare(t.Context(), s)); got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}
