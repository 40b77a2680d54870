//go:build unix

package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// TestRemovedFromOutside makes a tree again whose folder was deleted without git, with the commits of its branch, and takes no folder for a
// tree that is none.
func TestRemovedFromOutside(t *testing.T) {
	r := newRepo(t)
	tree, _, err := r.Make(t.Context(), r.dir, "gone", Nothing)
	if err != nil {
		t.Fatal(err)
	}
	r.write(filepath.Join(tree.Root, "b.go"), "b\n")
	r.git(tree.Root, "add", ".")
	r.git(tree.Root, "commit", "--quiet", "-m", "second")
	if err := os.RemoveAll(tree.Root); err != nil {
		t.Fatal(err)
	}
	if all := r.list(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	if _, made, err := r.Make(t.Context(), r.dir, "gone", Nothing); err != nil || !made {
		t.Fatalf("made %v, %v", made, err)
	}
	r.is(filepath.Join(tree.Root, "b.go"), "b\n")

	// The home directory is a repository too, as of those who keep their settings in git.
	r.git(filepath.Dir(r.dir), "init", "--quiet")
	left := filepath.Join(filepath.Dir(tree.Root), "left")
	r.write(filepath.Join(left, "build", "out"), "x\n")
	if all := r.list(); len(all) != 1 || all[0].Name != "gone" {
		t.Errorf("%+v", all)
	}
	if tree, made, err := r.Make(t.Context(), r.dir, "left", Nothing); session.KindOf(err) != session.KindInvalid || made || !strings.Contains(err.Error(), "is no worktree of this repository") {
		t.Errorf("%+v %v %v", tree, made, err)
	}
	if err := r.Remove(t.Context(), r.dir, "left", true); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	r.is(filepath.Join(left, "build", "out"), "x\n")
}

// TestRepositoriesWithoutAFolder makes, lists and removes trees of a submodule and of a bare repository, whose git directories stand in no
// work tree of theirs, and of a detached HEAD.
func TestRepositoriesWithoutAFolder(t *testing.T) {
	r := newRepo(t)
	top := filepath.Dir(r.dir)
	super, bare := filepath.Join(top, "super"), filepath.Join(top, "bare.git")
	r.write(filepath.Join(super, "x"), "x\n")
	r.git(super, "init", "--quiet")
	r.git(super, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", r.dir, "sub")
	r.git(super, "commit", "--quiet", "-m", "super")
	r.git(top, "clone", "--quiet", "--bare", r.dir, bare)
	r.git(bare, "worktree", "add", "--quiet", filepath.Join(top, "of-bare"), "main")
	r.git(top, "clone", "--quiet", r.dir, "detached")
	r.git(filepath.Join(top, "detached"), "checkout", "--quiet", "--detach")
	for dir, folder := range map[string]string{filepath.Join(super, "sub"): "sub-", filepath.Join(top, "of-bare"): "bare-", filepath.Join(top, "detached"): "detached-"} {
		tree, made, err := r.Make(t.Context(), dir, "x", Nothing)
		if err != nil || !made || !strings.HasPrefix(filepath.Base(filepath.Dir(tree.Root)), folder) {
			t.Errorf("%s: %+v %v %v", folder, tree, made, err)
			continue
		}
		all, err := r.List(t.Context(), dir)
		if err != nil || len(all) != 1 || !all[0].Idle() {
			t.Errorf("%s: %+v %v", folder, all, err)
		}
		if err := r.Remove(t.Context(), dir, "x", false); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
		if left := r.git(dir, "branch", "--list", "parley/*"); left != "" {
			t.Errorf("%s: left %s", folder, left)
		}
	}
}

// TestWithoutGit says that the directory is gone, or git.
func TestWithoutGit(t *testing.T) {
	r := newRepo(t)
	if _, err := r.List(t.Context(), filepath.Join(r.dir, "deleted")); session.KindOf(err) != session.KindInvalid || !strings.Contains(err.Error(), "deleted is gone") {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := r.List(t.Context(), r.dir); session.KindOf(err) != session.KindInvalid || !strings.Contains(err.Error(), "no git on this machine") {
		t.Error(err)
	}
}

// TestWithoutACommit says that there is nothing to branch from.
func TestWithoutACommit(t *testing.T) {
	r := newRepo(t)
	empty := filepath.Join(filepath.Dir(r.dir), "empty")
	r.write(filepath.Join(empty, "a"), "a")
	r.git(empty, "init", "--quiet")
	if _, _, err := r.Make(t.Context(), empty, "x", Nothing); session.KindOf(err) != session.KindInvalid || !strings.Contains(err.Error(), "no commit yet") {
		t.Error(err)
	}
	r.write(filepath.Join(r.dir, ".git", "refs", "heads", "parley", "y.lock"), "")
	if _, _, err := r.Make(t.Context(), r.dir, "y", Nothing); err == nil || !strings.Contains(err.Error(), "git worktree: ") {
		t.Errorf("the command that failed is not named: %v", err)
	}
	if all, err := r.List(t.Context(), empty); err != nil || len(all) != 0 {
		t.Errorf("%+v %v", all, err)
	}
}
