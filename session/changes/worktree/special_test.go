package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// command is what happens between a look and a comparison.
type command func(t *testing.T, dir string)

func TestSpecialCommands(t *testing.T) {
	tests := map[string]struct {
		before, run command
		want        string
	}{
		"files that are not ignored any more": {
			func(t *testing.T, dir string) {
				write(t, dir, ".gitignore", "out/\n*.o\n", "out/same", "1", "out/changed", "2", "same.o", "3", "changed.o", "4")
			},
			func(t *testing.T, dir string) {
				write(t, dir, ".gitignore", "", "out/changed", "two", "changed.o", "four", "new.o", "5")
			},
			".gitignore: out/\n*.o\n | \nchanged.o: unkept | four\nnew.o: - | 5\nout/changed: unkept | two\n",
		},
		"files that are ignored now": {
			func(t *testing.T, dir string) { write(t, dir, "a.o", "1", "b.o", "2", "out/c", "3", "out/d", "4") },
			func(t *testing.T, dir string) {
				write(t, dir, ".gitignore", "out/\n*.o\n", "a.o", "one", "out/d", "four", "new.o", "5")
			},
			".gitignore: - | out/\n*.o\n\na.o: 1 | one\nout/d: 4 | four\n",
		},
		"a directory that is a link now": {
			func(t *testing.T, dir string) { write(t, dir, "d/a", "1", "d/sub/b", "2") },
			func(t *testing.T, dir string) {
				rename(t, dir, "d", "e")
				link(t, "e", filepath.Join(dir, "d"))
			},
			"d: - | ->e\nd/a: 1 | -\nd/sub/b: 2 | -\ne/a: - | 1 +e\ne/sub/b: - | 2 +e +e/sub\n",
		},
		"a directory that became a link while git ignores it": {
			func(t *testing.T, dir string) { write(t, dir, "d/sub/a", "1") },
			func(t *testing.T, dir string) {
				rename(t, dir, "d", "e")
				link(t, "e", filepath.Join(dir, "d"))
				write(t, dir, ".gitignore", "d\ne\n.gitignore\n")
			},
			"d/sub/a: 1 | -\n",
		},
		"a file that is a directory now, and the other way": {
			func(t *testing.T, dir string) { write(t, dir, "f", "1", "d/a", "2") },
			func(t *testing.T, dir string) {
				remove(t, dir, "f", "d")
				write(t, dir, "f/x", "3", "d", "4")
			},
			"d: - | 4\nd/a: 2 | -\nf: 1 | other\nf/x: - | 3 +f\n",
		},
		"there and back": {
			func(t *testing.T, dir string) { write(t, dir, "f", "1", "d/a", "2", "m", "3") },
			func(t *testing.T, dir string) {
				remove(t, dir, "f", "d")
				write(t, dir, "f/x", "3")
				remove(t, dir, "f")
				write(t, dir, "f", "1", "d/a", "2")
				chmod(t, filepath.Join(dir, "m"), 0o755)
				chmod(t, filepath.Join(dir, "m"), 0o644)
			},
			"",
		},
		"the repository removed": {
			func(t *testing.T, dir string) {
				write(t, dir, ".gitignore", "*.o\n", "a", "1", "b.o", "2")
				runGit(t, dir, "add", "a")
				write(t, dir, "a", "not staged")
			},
			func(t *testing.T, dir string) {
				remove(t, dir, ".git")
				write(t, dir, "a", "one", "c", "3")
			},
			"a: not staged | one\nc: - | 3\n",
		},
		"another branch": {
			func(t *testing.T, dir string) {
				write(t, dir, "a", "1", "b", "2")
				runGit(t, dir, "add", ".")
				runGit(t, dir, "commit", "-qm", "first")
				runGit(t, dir, "checkout", "-q", "-b", "other")
				write(t, dir, "a", "one", "c", "3")
				runGit(t, dir, "add", ".")
				runGit(t, dir, "commit", "-qm", "second")
				write(t, dir, "b", "not staged")
			},
			func(t *testing.T, dir string) {
				runGit(t, dir, "checkout", "-q", "main")
				runGit(t, dir, "gc", "-q")
			},
			"a: one | 1\nc: 3 | -\n",
		},
		"a conflict": {
			func(t *testing.T, dir string) {
				write(t, dir, "a", "1\n")
				runGit(t, dir, "add", ".")
				runGit(t, dir, "commit", "-qm", "first")
				runGit(t, dir, "checkout", "-q", "-b", "other")
				write(t, dir, "a", "2\n")
				runGit(t, dir, "commit", "-qam", "second")
				runGit(t, dir, "checkout", "-q", "main")
				write(t, dir, "a", "3\n")
				runGit(t, dir, "commit", "-qam", "third")
				runGit(t, dir, "checkout", "-q", "other")
				cmd := exec.Command("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "merge", "-q", "main")
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err == nil {
					t.Fatalf("no conflict: %s", out)
				}
			},
			func(t *testing.T, dir string) { write(t, dir, "a", "resolved\n") },
			"a: <<<<<<< HEAD\n2\n=======\n3\n>>>>>>> main\n | resolved\n\n",
		},
		"a tracked file in an ignored directory of a later version of the index": {
			func(t *testing.T, dir string) {
				write(t, dir, "a/b/c", "1", "a/b/cd", "2", "a/b.c", "3", "a-b", "4", ".gitignore", "a/\n")
				runGit(t, dir, "add", "-f", ".")
				runGit(t, dir, "update-index", "--index-version", "4")
				write(t, dir, "a/b/ignored", "5")
			},
			func(t *testing.T, dir string) { write(t, dir, "a/b/cd", "two", "a/b/ignored", "five", "a-b", "four") },
			"a-b: 4 | four\na/b/cd: 2 | two\n",
		},
		"git's own conversion of line ends": {
			func(t *testing.T, dir string) {
				runGit(t, dir, "config", "core.autocrlf", "true")
				write(t, dir, "crlf", "1\r\n2\r\n", "none", "1", "lf", "1\n2\n")
				runGit(t, dir, "add", ".")
			},
			func(t *testing.T, dir string) { write(t, dir, "crlf", "x", "none", "x", "lf", "x") },
			"crlf: 1\r\n2\r\n | x\nlf: 1\n2\n | x\nnone: 1 | x\n",
		},
		"a filter that keeps the size": {
			func(t *testing.T, dir string) {
				runGit(t, dir, "config", "filter.rot.clean", "tr a-z b-za")
				write(t, dir, ".gitattributes", "[attr]secret filter=rot\n*.s secret\nd/** ident\n", "a.s", "abc", "d/x", "$Id$", "b", "abc")
				runGit(t, dir, "add", ".")
			},
			func(t *testing.T, dir string) { write(t, dir, "a.s", "x", "d/x", "y", "b", "z") },
			"a.s: abc | x\nb: abc | z\nd/x: $Id$ | y\n",
		},
		"an index in two files": {
			func(t *testing.T, dir string) {
				write(t, dir, "a", "1", "b", "2")
				runGit(t, dir, "add", ".")
				runGit(t, dir, "update-index", "--split-index")
			},
			func(t *testing.T, dir string) { write(t, dir, "a", "one") },
			"a: 1 | one\ngap: git's index is in a form that parley does not read\n",
		},
		"an object that git does not have": {
			func(t *testing.T, dir string) {
				write(t, dir, "a", "1", "b", "2")
				runGit(t, dir, "add", ".")
				remove(t, dir, ".git/objects/56") // "1"
			},
			func(t *testing.T, dir string) { write(t, dir, "a", "one", "b", "two") },
			"a: unkept | one\nb: 2 | two\n",
		},
		"a submodule and a repository that git ignores": {
			func(t *testing.T, dir string) {
				write(t, dir, "from/a", "1", ".gitignore", "from\nother\n")
				runGit(t, filepath.Join(dir, "from"), "init", "-q")
				runGit(t, filepath.Join(dir, "from"), "add", ".")
				runGit(t, filepath.Join(dir, "from"), "commit", "-qm", "first")
				runGit(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "./from", "sub")
				write(t, dir, "sub/b", "2")
			},
			func(t *testing.T, dir string) {
				write(t, dir, "sub/a", "one", "sub/b", "two", "from/a", "ignored")
			},
			"sub/a: 1 | one\nsub/b: 2 | two\n",
		},
	}
	dirs := map[string]string{}
	for name, test := range tests {
		dirs[name] = isolated(t)
		runGit(t, dirs[name], "init", "-q", "-b", "main")
		test.before(t, dirs[name])
	}
	time.Sleep(tick + 20*time.Millisecond) // what was changed just before is never taken from git
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := dirs[name]
			tree := newTree(t, dir)
			if strings.Contains(name, "git") {
				runGit(t, dir, "update-index", "-q", "--refresh")
			}
			s := tree.Look(t.Context())
			test.run(t, dir)
			if got := show(t, tree, dir, tree.Compare(t.Context(), s)); got != test.want {
				t.Errorf("got\n%s\nnot\n%s", got, test.want)
			}
		})
	}
}

func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
