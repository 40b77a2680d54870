//go:build unix

package handover

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/gitrun"
	"parley/session/proc"
)

// repository is a work tree with a remote "origin", both on disk, and a Git that works on it.
type repository struct {
	testing.TB
	Git
	dir, remote string
}

// newRepository returns a repository with a committed file "a" that its remote has.
func newRepository(tb testing.TB) *repository {
	tb.Helper()
	top, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	env := []string{"HOME=" + top, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_TEMPLATE_DIR=", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c"}
	group := proc.New(proc.Options{})
	tb.Cleanup(func() { _ = group.Close() })
	r := &repository{TB: tb, Git: Git{gitrun.Git{Group: group, Environ: env}}, dir: filepath.Join(top, "work", "app"), remote: filepath.Join(top, "hub", "octo", "app.git")}
	for _, dir := range []string{r.dir, r.remote} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			tb.Fatal(err)
		}
	}
	r.git("init", "--quiet", "--initial-branch=main")
	r.git("init", "--quiet", "--bare", "--initial-branch=main", r.remote)
	r.git("remote", "add", "origin", "https://github.com/octo/app.git")
	r.git("config", "url."+r.remote+".insteadOf", "https://github.com/octo/app.git")
	r.write("a", "one\n")
	r.git("add", ".")
	r.git("commit", "--quiet", "-m", "first")
	r.git("push", "--quiet", "--set-upstream", "origin", "main")
	return r
}

// git runs git in the work tree and returns what it prints.
func (r *repository) git(args ...string) string {
	r.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, r.Environ
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repository) write(name, text string) {
	r.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *repository) look() Work {
	r.Helper()
	w, err := r.Look(context.Background(), r.dir)
	if err != nil {
		r.Fatal(err)
	}
	return w
}

// state returns everything that a push may not change.
func (r *repository) state() string {
	r.Helper()
	index, err := os.ReadFile(filepath.Join(r.dir, ".git", "index"))
	if err != nil {
		r.Fatal(err)
	}
	return strings.Join([]string{r.git("status", "--porcelain=v2", "--branch"), r.git("for-each-ref", "refs/heads"), r.git("stash", "list"),
		r.git("reflog"), string(index)}, "\n")
}

func TestLook(t *testing.T) {
	r := newRepository(t)
	if w := r.look(); !w.Clean() || w.Branch != "main" || w.Upstream != "main" || w.Remote != "origin" || w.Root != r.dir || w.Base() != "main" {
		t.Fatalf("clean: %+v", w)
	}
	r.git("checkout", "--quiet", "-b", "topic")
	r.write("a", "two\n")
	r.git("commit", "--quiet", "-am", "second")
	r.write("with space\nand line", "x\n")
	r.git("add", "with space\nand line")
	r.git("mv", "a", "b")
	r.write("new/é", "new\n")
	r.write(".gitignore", "ignored\n")
	r.write("ignored", "x\n")
	r.write("inner/file", "x\n")
	cmd := exec.Command("git", "init", "--quiet", filepath.Join(r.dir, "inner"))
	cmd.Env = r.Environ
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	r.git("remote", "set-head", "origin", "main")
	w := r.look()
	if w.Unpushed != 1 || w.Upstream != "" || w.Default != "main" || w.Base() != "main" {
		t.Errorf("%+v", w)
	}
	if !slices.Equal(w.Changed, []string{"b", "with space\nand line"}) || !slices.Equal(w.New, []string{".gitignore", "new/é"}) {
		t.Errorf("changed %q, new %q", w.Changed, w.New)
	}
	if name, ok := w.remoteOf("Octo/App"); !ok || name != "origin" {
		t.Errorf("remote %q of %q", name, w.Remotes)
	}
	if name, ok := w.remoteOf("octo/other"); ok {
		t.Errorf("another repository has the remote %q", name)
	}
}

func TestLookElsewhere(t *testing.T) {
	r := newRepository(t)
	if _, err := r.Look(context.Background(), filepath.Dir(r.dir)); err != errNoRepository {
		t.Errorf("outside: %v", err)
	}
	r.git("checkout", "--quiet", "--detach")
	if w := r.look(); w.Branch != "" || w.Remote != "origin" || !w.Clean() {
		t.Errorf("detached: %+v", w)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Look(ctx, r.dir); err == nil {
		t.Error("a cancelled look succeeded")
	}
}

// Nothing that a repository configures to run is run by a look.
func TestLookRunsNoMonitor(t *testing.T) {
	r := newRepository(t)
	r.git("config", "core.fsmonitor", "touch "+filepath.Join(r.dir, "ran")+"; false")
	if w := r.look(); !w.Clean() {
		t.Errorf("%+v", w)
	}
}

func TestPush(t *testing.T) {
	for _, c := range []struct {
		include Include
		want    string // the files of the branch
	}{{Commits, "a=two gone=x"}, {Changes, "a=three staged=s"}, {Files, "a=three new/n=n staged=s"}} {
		r := newRepository(t)
		r.write("a", "two\n")
		r.write("gone", "x\n")
		r.git("add", ".")
		r.git("commit", "--quiet", "-m", "second")
		r.write("a", "three\n")
		r.write("staged", "s\n")
		r.git("add", "staged")
		r.write("new/n", "n\n")
		if err := os.Remove(filepath.Join(r.dir, "gone")); err != nil {
			t.Fatal(err)
		}
		w := r.look()
		r.write("unseen", "written after the user was shown the list\n")
		was := r.state()
		p, err := r.Push(context.Background(), w, Push{Remote: "origin", Branch: "parley/topic", Include: c.include, Message: "Work in progress"})
		if err != nil {
			t.Fatal(err)
		}
		if now := r.state(); now != was {
			t.Errorf("%d: the repository changed from\n%s\nto\n%s", c.include, was, now)
		}
		var files []string
		for _, name := range strings.Fields(r.git("--git-dir", r.remote, "ls-tree", "-r", "--name-only", p.Branch)) {
			files = append(files, name+"="+r.git("--git-dir", r.remote, "show", p.Branch+":"+name))
		}
		if got := strings.Join(files, " "); got != c.want {
			t.Errorf("%d: the branch has %q, not %q", c.include, got, c.want)
		}
		if got := r.git("--git-dir", r.remote, "rev-parse", p.Branch); got != p.Commit {
			t.Errorf("%d: the branch is at %s, not %s", c.include, got, p.Commit)
		}
	}
}

// A change of the same length, as old as the index, is pushed: git tells it from an unchanged file only by its content.
func TestPushOfAFileAsOldAsTheIndex(t *testing.T) {
	r := newRepository(t)
	r.git("config", "core.trustctime", "false") // no test can set the time of a change of the inode
	at := time.Now().Add(-time.Hour)
	date := func(names ...string) {
		for _, name := range names {
			if err := os.Chtimes(filepath.Join(r.dir, name), at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	date("a")
	r.git("update-index", "--refresh")
	r.write("a", "two\n")
	date("a", ".git/index")
	p, err := r.Push(context.Background(), r.look(), Push{Remote: "origin", Branch: "parley/topic", Include: Changes, Message: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.git("--git-dir", r.remote, "show", p.Branch+":a"); got != "two" {
		t.Errorf("pushed %q", got)
	}
}

func TestPushRefused(t *testing.T) {
	r := newRepository(t)
	r.write("a", "two\n")
	w := r.look()
	push := Push{Remote: "origin", Branch: "main", Include: Changes, Message: "m"}
	was := r.git("--git-dir", r.remote, "rev-parse", "main")
	if _, err := r.Push(context.Background(), w, push); err == nil {
		t.Error("a branch that was there was replaced")
	}
	if now := r.git("--git-dir", r.remote, "rev-parse", "main"); now != was {
		t.Error("the remote's branch changed")
	}
	push.Branch = "-x"
	if _, err := r.Push(context.Background(), w, push); err == nil || !strings.Contains(err.Error(), "branch") {
		t.Errorf("a bad name: %v", err)
	}
	push.Branch, push.Remote = "good", "nowhere"
	if _, err := r.Push(context.Background(), w, push); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("no remote: %v", err)
	}
	r.git("checkout", "--quiet", "-b", "other", "main")
	r.git("commit", "--quiet", "-am", "theirs")
	r.git("checkout", "--quiet", "main")
	r.write("a", "ours\n")
	r.git("commit", "--quiet", "-am", "ours")
	cmd := exec.Command("git", "merge", "other")
	cmd.Dir, cmd.Env = r.dir, r.Environ
	_ = cmd.Run() // it ends with a conflict
	w = r.look()
	push.Remote = "origin"
	if _, err := r.Push(context.Background(), w, push); err == nil || !strings.Contains(err.Error(), "a has conflicts") {
		t.Errorf("conflicts %q: %v", w.Conflicts, err)
	}
	empty := newRepository(t)
	empty.git("checkout", "--quiet", "--orphan", "fresh")
	if _, err := empty.Push(context.Background(), empty.look(), push); err == nil || !strings.Contains(err.Error(), "Commit first") {
		t.Errorf("nothing committed: %v", err)
	}
}

// A push that ends before it is done leaves no process and no file.
func TestPushCancelled(t *testing.T) {
	r := newRepository(t)
	r.write("a", "two\n")
	hook := filepath.Join(r.dir, ".git", "hooks", "pre-push")
	began := filepath.Join(t.TempDir(), "began")
	r.git("config", "core.hooksPath", filepath.Dir(hook))
	r.write(".git/hooks/pre-push", "#!/bin/sh\nmkfifo "+began+".pipe\n: >"+began+"\nread x <"+began+".pipe\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	w, failed := r.look(), make(chan error, 1)
	go func() {
		_, err := r.Push(ctx, w, Push{Remote: "origin", Branch: "b", Include: Changes, Message: "m"})
		failed <- err
	}()
	for _, err := os.Stat(began); err != nil; _, err = os.Stat(began) {
		if ctx := t.Context(); ctx.Err() != nil {
			t.Fatal(ctx.Err())
		}
	}
	cancel()
	if err := <-failed; err != context.Canceled {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
