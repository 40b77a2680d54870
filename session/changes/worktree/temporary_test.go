package worktree

import (
	"testing"

	temporaries "parley/internal/safefs"
)

// Files that are there for the moment in which a tool or an undo beside a command replaces another are not its changes.
func TestTemporaryFilesAreNoChanges(t *testing.T) {
	for _, repository := range []bool{true, false} {
		dir := isolated(t)
		if repository {
			runGit(t, dir, "init", "-q")
		}
		write(t, dir, "a/file", "before\n")
		gone, come := temporaries.Temporary(), temporaries.Temporary()
		write(t, dir, "a/"+gone, "after\n", gone, "after\n")
		tree := newTree(t, dir)
		s := tree.Look(t.Context())
		remove(t, dir, "a/"+gone, gone)
		write(t, dir, "a/file", "after\n", "a/"+come, "again\n", come, "again\n", ".parley-notes", "notes\n")
		want := ".parley-notes: - | notes\n\na/file: before\n | after\n\n"
		if got := show(t, tree, dir, tree.Compare(t.Context(), s)); got != want {
			t.Errorf("got\n%s\nnot\n%s", got, want)
		}
	}
}
