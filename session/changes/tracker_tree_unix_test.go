//go:build unix

package changes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parley/session/changes/worktree"
)

// TestTrackRealCommands runs commands in a real directory, with the real comparison.
func TestTrackRealCommands(t *testing.T) {
	r := newRig(t)
	tree := worktree.New(worktree.Options{Roots: []string{r.dir}, Store: r.lib.o.Store})
	r.tracker.tree = func() comparer { return tree }
	run := func(line string) {
		t.Helper()
		call := r.command()
		c := exec.Command("/bin/sh", "-c", line)
		c.Dir = r.dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v, %s", line, err, out)
		}
		r.end(call)
	}
	r.write("a", "a\n")
	r.write("b", "b\n")
	r.write("sub/c", "c\n")
	run("printf x >> a; rm b; mv sub/c sub/d; chmod 600 a; ln -s a link; mkdir -p new/dir; : > new/dir/empty")
	r.expect("c1 a: a\n > a\nx 600", "c1 b: b\n > -", "c1 link: - > ->a", "c1 new/dir/empty: - >  +new +new/dir", "c1 sub/c: c\n > -", "c1 sub/d: - > c\n")
	run("true")
	if e := r.reported(); e.Call != "c1" || len(e.Edits) != 6 || e.Unaccepted != 6 {
		t.Errorf("it reported %+v", e)
	}
	// An edit during a command, and all of it taken back.
	command, edit := r.command(), r.before("a")
	r.write("a", "by the edit")
	r.end(edit)
	r.write("e", "by the command")
	r.end(command)
	if got := r.recorded(); len(got) != 8 || got[6] != "c4 a: a\nx 600 > by the edit 600" || got[7] != "c3 e: - > by the command" {
		t.Errorf("%q", got)
	}
	l := r.lib.Log("s1")
	plan, err := l.PlanUndo(t.Context(), Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := l.Apply(t.Context(), plan, nil); err != nil || len(out.Left) > 0 {
		t.Errorf("%+v, %v", out, err)
	}
	for name, want := range map[string]string{"a": "a\n", "b": "b\n", "sub/c": "c\n"} {
		if got, err := os.ReadFile(r.path(name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"link", "new", "sub/d", "e"} {
		if _, err := os.Lstat(r.path(name)); !os.IsNotExist(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTrackAddedDirectories changes files of a directory before it is one of the session's, while it is, and after that.
func TestTrackAddedDirectories(t *testing.T) {
	r := newRig(t)
	tree := worktree.New(worktree.Options{Roots: []string{r.dir}, Store: r.lib.o.Store})
	r.tracker.tree = func() comparer { return tree }
	there, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		dirs []string
		seen bool
	}{{nil, false}, {[]string{there}, true}, {nil, false}} {
		r.Follow(step.dirs)
		call := r.command()
		path := filepath.Join(there, fmt.Sprint(i))
		r.write(path, "x\n")
		r.end(call)
		edits := r.reported().Edits
		if seen := len(edits) == 1 && edits[0].Path == path; seen != step.seen && (step.seen || r.reported().Call == call) {
			t.Errorf("with %q: %+v", step.dirs, r.reported())
		}
	}
	if got := r.recorded(); len(got) != 1 {
		t.Errorf("recorded %q", got)
	}
}
