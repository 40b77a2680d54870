//go:build unix

package worktree

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/gitrun"
	"parley/session"
	"parley/session/proc"
)

// repo is a repository with a commit, and trees of it.
type repo struct {
	testing.TB
	Trees
	dir string
	env []string
}

func newRepo(t testing.TB) *repo {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	group := proc.New(proc.Options{})
	t.Cleanup(func() { _ = group.Close() })
	r := &repo{TB: t, dir: filepath.Join(top, "acme"), env: []string{"HOME=" + top, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_TEMPLATE_DIR=",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c"}}
	r.Trees = Trees{Git: gitrun.Git{Group: group, Environ: r.env}, Home: filepath.Join(top, "data", "worktrees")}
	r.write(filepath.Join(r.dir, "lib", "a.go"), "one\n")
	r.git(r.dir, "init", "--quiet", "--initial-branch=main")
	r.git(r.dir, "add", ".")
	r.git(r.dir, "commit", "--quiet", "-m", "first")
	return r
}

func (r *repo) git(dir string, args ...string) string {
	r.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, r.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) write(path, text string) {
	r.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
}

func (r *repo) is(path, want string) {
	r.Helper()
	if b, _ := os.ReadFile(path); string(b) != want {
		r.Errorf("%s is %q, want %q", path, b, want)
	}
}

func (r *repo) list() []Tree {
	r.Helper()
	all, err := r.List(r.Context(), r.dir)
	if err != nil {
		r.Fatal(err)
	}
	return all
}

// A tree has the commit of the directory, what .worktreeinclude selects and, when asked, what is uncommitted; the directory itself
// stays as it was, and no hook runs.
func TestMake(t *testing.T) {
	r := newRepo(t)
	r.write(filepath.Join(r.dir, ".git", "hooks", "post-checkout"), "#!/bin/sh\ntouch "+filepath.Join(r.dir, "ran")+"\n")
	if err := os.Chmod(filepath.Join(r.dir, ".git", "hooks", "post-checkout"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write(filepath.Join(r.dir, ".gitignore"), ".env\nbuild/\nran\n")
	r.write(filepath.Join(r.dir, ".worktreeinclude"), ".env\n")
	r.write(filepath.Join(r.dir, ".env"), "KEY=1\n")
	r.write(filepath.Join(r.dir, "build", "out"), "big\n")
	r.write(filepath.Join(r.dir, "lib", "a.go"), "two\n")
	r.write(filepath.Join(r.dir, "new.go"), "new\n")
	if err := os.Symlink("/etc/passwd", filepath.Join(r.dir, "link")); err != nil {
		t.Fatal(err)
	}
	before := r.git(r.dir, "status", "--porcelain")
	tree, made, err := r.Make(t.Context(), filepath.Join(r.dir, "lib"), "", Nothing)
	if err != nil || !made || tree.Name != "work-1" || tree.Branch != "parley/work-1" || tree.Dir != filepath.Join(tree.Root, "lib") {
		t.Fatalf("%+v %v %v", tree, made, err)
	}
	r.is(filepath.Join(tree.Root, "lib", "a.go"), "one\n")
	r.is(filepath.Join(tree.Root, ".env"), "KEY=1\n")
	r.is(filepath.Join(tree.Root, "build", "out"), "")
	if again, made, err := r.Make(t.Context(), r.dir, "work-1", Copies); err != nil || made || again.Root != tree.Root {
		t.Errorf("%+v %v %v", again, made, err)
	}
	with, made, err := r.Make(t.Context(), r.dir, "with", Copies)
	if err != nil || !made {
		t.Fatal(err)
	}
	r.is(filepath.Join(with.Root, "lib", "a.go"), "two\n")
	r.is(filepath.Join(with.Root, "new.go"), "new\n")
	if _, err := os.Lstat(filepath.Join(with.Root, "link")); err == nil {
		t.Error("a link came along")
	}
	if after := r.git(r.dir, "status", "--porcelain"); after != before {
		t.Errorf("the directory changed:\n%s\nwas\n%s", after, before)
	}
	r.is(filepath.Join(r.dir, "lib", "a.go"), "two\n")
	if _, err := os.Stat(filepath.Join(r.dir, "ran")); err == nil {
		t.Error("a hook of the repository ran")
	}
}

// A tree is only thrown away unasked while nothing would be lost; from within it the same trees are seen.
func TestListAndRemove(t *testing.T) {
	r := newRepo(t)
	if all := r.list(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	var trees []Tree
	for _, name := range []string{"idle", "dirty", "ahead"} {
		tree, _, err := r.Make(t.Context(), r.dir, name, Nothing)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	r.write(filepath.Join(trees[1].Root, "b.go"), "b\n")
	r.write(filepath.Join(trees[2].Root, "c.go"), "c\n")
	r.git(trees[2].Root, "add", ".")
	r.git(trees[2].Root, "commit", "--quiet", "-m", "second")
	words := map[string]string{"ahead": "1 commit of its own", "dirty": "1 changed file", "idle": "nothing that would be lost"}
	for _, tree := range r.list() {
		if tree.Words() != words[tree.Name] || tree.Branch != "parley/"+tree.Name {
			t.Errorf("%+v: %s", tree, tree.Words())
		}
	}
	if within, err := r.List(t.Context(), trees[0].Root); err != nil || len(within) != 3 {
		t.Errorf("%+v %v", within, err)
	}
	for _, name := range []string{"dirty", "ahead"} {
		if err := r.Remove(t.Context(), r.dir, name, false); session.KindOf(err) != session.KindInvalid || !strings.Contains(err.Error(), words[name]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r.git(r.dir, "merge", "--quiet", "parley/ahead")
	for name, lose := range map[string]bool{"idle": false, "ahead": false, "dirty": true} {
		if err := r.Remove(t.Context(), r.dir, name, lose); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all := r.list(); len(all) != 0 || r.git(r.dir, "branch", "--list", "parley/*") != "" {
		t.Errorf("left %+v", all)
	}
	if err := r.Remove(t.Context(), r.dir, "idle", true); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
}

// TestCommitsComeBack removes trees with commits of their own. What each says of them is so.
func TestCommitsComeBack(t *testing.T) {
	r := newRepo(t)
	for name, on := range map[string]string{"own": "parley/own", "other": "topic", "none": ""} {
		tree, _, err := r.Make(t.Context(), r.dir, name, Nothing)
		if err != nil {
			t.Fatal(err)
		}
		switch on {
		case "topic":
			r.git(tree.Root, "switch", "--quiet", "-c", on)
		case "":
			r.git(tree.Root, "switch", "--quiet", "--detach")
		}
		r.write(filepath.Join(tree.Root, "c.go"), name+"\n")
		r.git(tree.Root, "add", ".")
		r.git(tree.Root, "commit", "--quiet", "-m", "second")
		r.write(filepath.Join(tree.Root, "d.go"), "d\n")
	}
	for _, tree := range r.list() {
		if err := r.Remove(t.Context(), r.dir, tree.Name, true); err != nil {
			t.Fatal(err)
		}
		says, back := tree.Loses(), tree.Back()
		if !strings.HasPrefix(says, "What isn't committed can't be brought back. ") {
			t.Errorf("%s: %s", tree.Name, says)
		}
		branch := "topic"
		if tree.Name != "other" {
			branch = strings.Fields(back)[2]
			if !strings.Contains(says, "`"+back+"`") || r.git(r.dir, "branch", "--list", branch) != "" && tree.Name == "own" {
				t.Errorf("%s: %s", tree.Name, says)
			}
			r.git(r.dir, strings.Fields(back)[1:]...)
		} else if back != "" || !strings.Contains(says, "stay on the branch topic") {
			t.Errorf("%s: %s", tree.Name, says)
		}
		if text := r.git(r.dir, "show", branch+":c.go"); strings.TrimSpace(text) != tree.Name {
			t.Errorf("%s: %q", tree.Name, text)
		}
	}
	if none := (Tree{Name: "x", Branch: "parley/x", Commit: "1"}); none.Loses() != "" || none.Back() != "" {
		t.Errorf("%q", none.Loses())
	}
}

func TestNamesAndPlaces(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"..", "../x", "a/b", "-x", ".git", "a b", "a..b", "x.lock", "+", "é", strings.Repeat("a", 70), "a\nb", "x."} {
		if _, _, err := r.Make(t.Context(), r.dir, name, Nothing); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%q: %v", name, err)
		}
		if err := r.Remove(t.Context(), r.dir, name, true); err == nil {
			t.Errorf("%q was removed", name)
		}
	}
	if _, _, err := r.Make(t.Context(), t.TempDir(), "x", Nothing); session.KindOf(err) != session.KindInvalid || !strings.Contains(err.Error(), "no git repository") {
		t.Error(err)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	r.write(filepath.Join(empty, "a"), "a")
	r.git(empty, "init", "--quiet")
	if _, _, err := r.Make(t.Context(), empty, "x", Nothing); session.KindOf(err) != session.KindInvalid { // nothing is committed
		t.Error(err)
	}
}

// Changes that are moved are in the new tree only, staged ones staged; caches that git ignores are links, and trust is carried over.
func TestMovesLinksAndTrust(t *testing.T) {
	r := newRepo(t)
	var carried []string
	r.Links = []string{"node_modules", "lib/", "../x", "gone"}
	r.Carry = func(_ context.Context, from, to, below string) error {
		carried = append(carried, from, to, below)
		return nil
	}
	r.write(filepath.Join(r.dir, ".gitignore"), "node_modules/\n")
	r.git(r.dir, "add", ".")
	r.git(r.dir, "commit", "--quiet", "-m", "ignore")
	r.write(filepath.Join(r.dir, "node_modules", "m", "index.js"), "m\n")
	r.write(filepath.Join(r.dir, "lib", "a.go"), "two\n")
	r.write(filepath.Join(r.dir, "lib", "b.go"), "staged\n")
	r.git(r.dir, "add", "lib/b.go")
	r.write(filepath.Join(r.dir, "new.go"), "new\n")
	tree, made, err := r.Make(t.Context(), filepath.Join(r.dir, "lib"), "moved", Moves)
	if !made || err == nil || !strings.Contains(err.Error(), "lib was not linked") || !strings.Contains(err.Error(), "../x is not a path") || strings.Contains(err.Error(), "gone") {
		t.Fatalf("%v %v", made, err)
	}
	if left := r.git(r.dir, "status", "--porcelain"); left != "" || r.git(r.dir, "stash", "list") != "" {
		t.Errorf("left behind: %s", left)
	}
	if there := r.git(tree.Root, "status", "--porcelain", "--untracked-files=all"); !strings.Contains(there, "A  lib/b.go") || !strings.Contains(there, " M lib/a.go") && !strings.HasPrefix(there, "M lib/a.go") || !strings.Contains(there, "?? new.go") {
		t.Errorf("there is\n%s", there)
	}
	r.is(filepath.Join(tree.Root, "node_modules", "m", "index.js"), "m\n")
	if len(carried) != 3 || carried[0] != r.dir || carried[1] != tree.Root || carried[2] != "lib" {
		t.Errorf("carried %q", carried)
	}
	if all := r.list(); len(all) != 1 || all[0].Changed != 3 {
		t.Errorf("%+v", all)
	}
	if err := r.Remove(t.Context(), r.dir, "moved", true); err != nil {
		t.Fatal(err)
	}
	r.is(filepath.Join(r.dir, "node_modules", "m", "index.js"), "m\n")

	// What the branch of a tree that was removed has changed, too, is not taken: everything stays.
	r.Links = nil
	kept, _, err := r.Make(t.Context(), r.dir, "kept", Nothing)
	if err != nil {
		t.Fatal(err)
	}
	r.write(filepath.Join(kept.Root, "lib", "a.go"), "other\n")
	r.git(kept.Root, "commit", "--quiet", "-a", "-m", "other")
	r.git(r.dir, "worktree", "remove", kept.Root)
	r.write(filepath.Join(r.dir, "lib", "a.go"), "mine\n")
	r.write(filepath.Join(r.dir, "new.go"), "new\n")
	if kept, made, err := r.Make(t.Context(), r.dir, "kept", Copies); !made || err == nil || !strings.Contains(err.Error(), "conflict with branch parley/kept") {
		t.Errorf("%v %v", made, err)
	} else {
		r.is(filepath.Join(kept.Root, "lib", "a.go"), "other\n") // without marks of conflicts
		if there := r.git(kept.Root, "status", "--porcelain", "--untracked-files=all"); there != "" {
			t.Errorf("there is\n%s", there)
		}
		r.is(filepath.Join(r.dir, "lib", "a.go"), "mine\n")
		r.git(r.dir, "worktree", "remove", kept.Root)
	}
	if _, made, err := r.Make(t.Context(), r.dir, "kept", Moves); !made || err == nil {
		t.Errorf("%v %v", made, err)
	}
	r.is(filepath.Join(r.dir, "lib", "a.go"), "mine\n")
	r.is(filepath.Join(r.dir, "new.go"), "new\n")
	if all := r.list(); r.git(r.dir, "stash", "list") != "" || len(all) != 1 || all[0].Changed != 0 {
		t.Errorf("the stash has %s, there is %+v", r.git(r.dir, "stash", "list"), all)
	}
	if _, _, err := r.Make(t.Context(), r.dir, "again", Moves); err != nil { // with a stash of the user's own
		t.Error(err)
	}
}

// TestApart refuses a tree for a scratch folder that happens to stand in a repository, and makes one of a repository in such a folder.
func TestApart(t *testing.T) {
	r := newRepo(t)
	r.Apart = filepath.Join(r.dir, "scratch")
	dir := filepath.Join(r.Apart, "one")
	r.write(filepath.Join(dir, "a.go"), "one\n")
	if _, made, err := r.Make(t.Context(), dir, "x", Nothing); made || session.KindOf(err) != session.KindInvalid || !strings.Contains(err.Error(), "no project") {
		t.Errorf("%v, %v", made, err)
	}
	r.git(dir, "init", "--quiet", "--initial-branch=main")
	r.git(dir, "add", ".")
	r.git(dir, "commit", "--quiet", "-m", "first")
	if _, made, err := r.Make(t.Context(), dir, "x", Nothing); !made || err != nil {
		t.Errorf("%v, %v", made, err)
	}
	if _, made, err := r.Make(t.Context(), r.dir, "y", Nothing); !made || err != nil {
		t.Errorf("%v, %v", made, err)
	}
}
