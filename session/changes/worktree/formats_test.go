package worktree

import (
	"path/filepath"
	"testing"
	"time"
)

// TestOtherRepositories compares in repositories that keep their files elsewhere or in another form.
func TestOtherRepositories(t *testing.T) {
	tests := map[string]func(t *testing.T, dir string) (tree string){
		"of SHA-256": func(t *testing.T, dir string) string {
			runGit(t, dir, "init", "-q", "--object-format=sha256")
			return dir
		},
		"linked to another": func(t *testing.T, dir string) string {
			runGit(t, dir, "init", "-q", "main")
			runGit(t, filepath.Join(dir, "main"), "commit", "-q", "--allow-empty", "-m", "first")
			runGit(t, filepath.Join(dir, "main"), "worktree", "add", "-q", "../linked")
			return filepath.Join(dir, "linked")
		},
		"with its git directory elsewhere": func(t *testing.T, dir string) string {
			runGit(t, dir, "init", "-q", "--separate-git-dir", filepath.Join(dir, "git"), "tree")
			return filepath.Join(dir, "tree")
		},
		"without files in some directories": func(t *testing.T, dir string) string {
			runGit(t, dir, "init", "-q")
			write(t, dir, "in/a", "1", "out/b", "2")
			runGit(t, dir, "add", ".")
			runGit(t, dir, "commit", "-qm", "first")
			runGit(t, dir, "sparse-checkout", "set", "--cone", "in")
			return dir
		},
	}
	dirs := map[string]string{}
	for name, begin := range tests {
		dir := begin(t, isolated(t))
		write(t, dir, ".gitignore", "*.o\n", "tracked.o", "1", "edited", "2")
		runGit(t, dir, "add", "-f", ".gitignore", "tracked.o", "edited")
		runGit(t, dir, "commit", "-qm", "more")
		write(t, dir, "edited", "not staged", "new", "3", "ignored.o", "4")
		dirs[name] = dir
	}
	time.Sleep(tick + 20*time.Millisecond)
	for name, dir := range dirs {
		t.Run(name, func(t *testing.T) {
			tree := newTree(t, dir)
			s := tree.Look(t.Context())
			write(t, dir, "tracked.o", "one", "edited", "two", "new", "three", "ignored.o", "four")
			want := "edited: not staged | two\nnew: 3 | three\ntracked.o: 1 | one\n"
			if got := show(t, tree, dir, tree.Compare(t.Context(), s)); got != want {
				t.Errorf("got\n%s\nnot\n%s", got, want)
			}
		})
	}
}
