package worktree

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"parley/internal/repeat"
	"parley/session/changes/snapshot"
)

// TestConcurrentUse compares for several commands at once while files change.
func TestConcurrentUse(t *testing.T) {
	dir := isolated(t)
	runGit(t, dir, "init", "-q")
	for i := range 40 {
		write(t, dir, fmt.Sprintf("d%d/f%d", i%7, i), "tracked")
	}
	runGit(t, dir, "add", ".")
	write(t, dir, ".gitignore", "*.o\n", "d1/.gitattributes", "* text\n")
	tree := newTree(t, dir)
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range repeat.Times(3, 5, 10) {
				s := tree.Look(t.Context())
				own := fmt.Sprintf("d%d/f%d", n, n)
				write(t, dir, own, fmt.Sprint("changed ", i))
				found := false
				for _, c := range tree.Compare(t.Context(), s).Changed {
					found = found || c.Path == filepath.Join(dir, own) && c.After.Kind == snapshot.File
				}
				if !found {
					t.Errorf("the change of %s was not found", own)
				}
			}
		})
	}
	all.Wait()
}
