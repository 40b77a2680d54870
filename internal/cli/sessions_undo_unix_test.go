//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// working is a model that changes files through every tool of the builtin agent.
const working = `
pace: {chars: 20, rate: 0}
rules:
  - when: {prompt: write two, result: false}
    reply:
      - tool: Write
        input: {file_path: "new.txt", content: "new\n"}
      - tool: Write
        input: {file_path: "deep/er/two.txt", content: "two\n"}
  - when: {prompt: run it, result: false}
    reply:
      - tool: Bash
        input: {command: "printf 'rewritten\\n' > a.txt; rm b.txt; chmod 755 c.sh; mv d.txt e.txt"}
  - when: {result: true}
    reply: Done.
  - when: {}
    reply: "Nothing to do."
`

// TestUndoOfARealSession lets the builtin agent change files in turns of -p, and takes them back.
func TestUndoOfARealSession(t *testing.T) {
	w := newWorld(t).signIn(working)
	c := &changer{world: w}
	for name, text := range map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.sh": "#!/bin/sh\n", "d.txt": "some text\n"} {
		c.write(name, text, 0o640)
	}
	git(t, w.dir, "init", "-q")
	git(t, w.dir, "add", "a.txt", "c.sh")
	c.write("a.txt", "a\nnot staged\n", 0o640)
	first := c.project()
	w.mustRun("-p", "--permission-mode", "bypassPermissions", "write two")
	second := c.project()
	w.mustRun("-p", "-c", "--permission-mode", "bypassPermissions", "run it")
	third := c.project()
	if len(second) != len(first)+2 || third["b.txt"] != "" {
		t.Fatalf("the session did nothing: %q", third)
	}
	stat := w.mustRun("sessions", "diff", "--stat")
	for _, row := range []string{" a.txt ", " b.txt ", " c.sh ", " d.txt => e.txt ", " new.txt ", " deep/er/two.txt ", "6 not accepted"} {
		if !strings.Contains(stat, row) {
			t.Errorf("no %q in\n%s", row, stat)
		}
	}
	var all []struct {
		Turn       int
		Tool, Path string
		Command    string
	}
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "diff", "--json")), &all); err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		made := map[string]string{c.path("new.txt"): "1 Write ", c.path("deep/er/two.txt"): "1 Write "}[one.Path]
		if made == "" {
			made = "2 Bash printf"
		}
		if got := fmt.Sprintf("%d %s %.6s", one.Turn, one.Tool, one.Command); got != made {
			t.Errorf("%s was made by %q, want %q", one.Path, got, made)
		}
	}
	patch := w.mustRun("sessions", "diff")
	w.mustRun("sessions", "undo", "--turn", "2", "--yes")
	c.projectIs("the command undone", second)
	w.mustRun("sessions", "undo", "--yes")
	c.projectIs("all undone", first)
	if _, err := os.Stat(c.path("deep")); err == nil {
		t.Error("a directory that the session made is still there")
	}
	w.mustRun("sessions", "undo", "--redo", "--yes")
	w.mustRun("sessions", "undo", "--redo", "--yes")
	c.projectIs("all redone", third)
	cmd := exec.Command("git", "apply", "-R")
	cmd.Dir, cmd.Stdin = w.dir, strings.NewReader(patch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply -R: %v\n%s\n%s", err, out, patch)
	}
	for name := range first {
		if bytes := strings.SplitN(first[name], " ", 2)[1]; !strings.HasSuffix(c.project()[name], " "+bytes) {
			t.Errorf("git apply -R: %s is %q, was %q", name, c.project()[name], first[name])
		}
	}
}

// project returns the files without those of git.
func (c *changer) project() map[string]string {
	tree := c.tree()
	maps.DeleteFunc(tree, func(name, _ string) bool { return strings.HasPrefix(name, ".git/") })
	return tree
}

func (c *changer) projectIs(what string, want map[string]string) {
	c.t.Helper()
	if got := c.project(); !maps.Equal(got, want) {
		c.t.Errorf("%s: the project is\n%q\nand should be\n%q", what, got, want)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// While another process has the session, nothing is undone, and the message names it.
func TestUndoOfASessionInUse(t *testing.T) {
	c, _ := busyDay(t)
	before := c.tree()
	locks := filepath.Join(c.home, ".local", "state", "parley", "locks")
	if err := os.MkdirAll(locks, 0o700); err != nil {
		t.Fatal(err)
	}
	other := exec.Command("sleep", "1000")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Process.Kill(); other.Wait() })
	lock := filepath.Join(locks, string(c.id)+".lock")
	if err := os.WriteFile(lock, fmt.Appendf(nil, "%d \n", other.Process.Pid), 0o600); err != nil {
		t.Fatal(err)
	}
	o := c.run("sessions", "undo", "--yes")
	if o.code != 1 || !strings.Contains(o.err, fmt.Sprintf("(pid %d)", other.Process.Pid)) || !strings.Contains(o.err, "/changes") {
		t.Errorf("%+v", o)
	}
	c.isNow("in use", before)
	if out := c.mustRun("sessions", "diff"); out == "" {
		t.Error("its changes are not shown")
	}
}

// A log with torn and strange lines shows what is whole. One that is no file is an error that names it.
func TestChangesOfABrokenLog(t *testing.T) {
	c, was := busyDay(t)
	path := filepath.Join(c.home, ".local", "share", "parley", "edits", string(c.id)+".jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	if err := os.WriteFile(path, []byte("\x00\x1b[2J\n"+strings.Join(lines, "{\"new\":1}\n")+lines[0][:20]), 0o600); err != nil {
		t.Fatal(err)
	}
	c.mustRun("sessions", "undo", "--yes")
	c.isNow("undone by a broken log", was[0])
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"diff"}, {"diff", "--stat"}, {"diff", "--json"}, {"undo", "--yes"}} {
		if o := c.run(append([]string{"sessions"}, args...)...); o.code != 1 || !strings.Contains(o.err, "changes of files") {
			t.Errorf("%q: %+v", args, o)
		}
	}
}

// TestUndoOnATerminal asks, says what would be lost, and can skip that.
func TestUndoOnATerminal(t *testing.T) {
	c, was := busyDay(t)
	c.write("a.go", "mine\n", 0o644)
	mine := c.tree()
	for _, answer := range []string{"", "n", "x", "yessir"} {
		tm := c.start(100, 60, "sessions", "undo", "--turn", "1")
		tm.shows("anything else changes nothing")
		tm.shows("+mine")
		tm.send(answer + "\r")
		tm.shows("Nothing was changed.")
		if code := tm.exit(); code != 1 {
			t.Errorf("%q: exit %d", answer, code)
		}
	}
	c.isNow("not accepted", mine)
	tm := c.start(100, 60, "sessions", "undo", "--turn", "1")
	tm.shows("s skips files")
	tm.send("s\r")
	tm.shows("a.go was left alone")
	if code := tm.exit(); code != 1 {
		t.Errorf("skipped: exit %d", code)
	}
	want := maps.Clone(mine)
	delete(want, "sub/new file.go")
	c.isNow("skipped", want)
	tm = c.start(100, 60, "sessions", "undo")
	tm.shows("y does it")
	tm.send("y\r")
	tm.shows("Undid the changes of")
	if code := tm.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	c.isNow("undone", was[0])
}

// TestUndoThatIsKilled kills an undo in the middle. The next command finishes its record: each file is in one state or the
// other, and what was undone can be brought back.
func TestUndoThatIsKilled(t *testing.T) {
	c := newChanger(t, 1)
	const files = 24
	old, new := strings.Repeat("old\n", 5_000), strings.Repeat("new\n", 5_000)
	var names []string
	for i := range files {
		names = append(names, fmt.Sprintf("f%02d", i))
		c.write(names[i], old+names[i], 0o644)
	}
	c.did(1, "Bash", func() {
		for _, name := range names {
			c.write(name, new+name, 0o600)
		}
	}, names...)
	for kill := range 4 {
		cmd := exec.Command(os.Args[0], "sessions", "undo", "--yes")
		cmd.Env, cmd.Dir = append([]string{asParley + "=1"}, c.env...), c.dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		undone := 0
		for end := false; undone <= kill*files/4 && !end; {
			select {
			case <-ended:
				end = true
			default:
			}
			undone = 0
			for _, name := range names {
				if data, _ := os.ReadFile(c.path(name)); string(data) == old+name {
					undone++
				}
			}
		}
		cmd.Process.Signal(syscall.SIGKILL)
		if undone <= kill*files/4 {
			t.Fatalf("the undo ended with %d files", undone)
		}
		<-ended
		var counts [2]int
		for _, name := range names {
			data, err := os.ReadFile(c.path(name))
			info, statErr := os.Stat(c.path(name))
			switch {
			case err != nil || statErr != nil:
				t.Fatal(err, statErr)
			case string(data) == old+name && info.Mode() == 0o644:
				counts[0]++
			case string(data) == new+name && info.Mode() == 0o600:
				counts[1]++
			default:
				t.Errorf("%s is in neither state: %v, %d bytes", name, info.Mode(), len(data))
			}
		}
		stat := c.mustRun("sessions", "diff", "--stat")
		if got := strings.Count(stat, "  undone\n"); got != counts[0] {
			t.Errorf("killed after %d of %d files: the log has %d undone\n%s", counts[0], files, got, stat)
		}
		if left, _ := filepath.Glob(c.path(".parley-*")); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
		c.mustRun("sessions", "undo", "--redo", "--yes")
		for _, name := range names {
			if data, _ := os.ReadFile(c.path(name)); string(data) != new+name {
				t.Fatalf("%s is not back", name)
			}
		}
	}
}

// TestUndoOnAFullDisk leaves what cannot be written as it is, says so, and does it once there is room.
func TestUndoOnAFullDisk(t *testing.T) {
	c := newChanger(t, 1)
	old, new := strings.Repeat("old\n", 20_000), strings.Repeat("new\n", 20_000)
	c.write("large", old, 0o644)
	c.write("small", "old\n", 0o644)
	was := c.tree()
	c.did(1, "Edit", func() {
		c.write("large", new, 0o644)
		c.write("small", "new\n", 0o644)
	}, "large", "small")
	now := c.tree()
	cmd := exec.Command("/bin/sh", "-c", `ulimit -f 32 && exec "$0" sessions undo --yes`, os.Args[0])
	cmd.Env, cmd.Dir = append([]string{asParley + "=1"}, c.env...), c.dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "large was left alone") || !strings.Contains(string(out), "Undid the changes of 1 file.") {
		t.Errorf("%v\n%s", err, out)
	}
	now["small"] = was["small"]
	c.isNow("a full disk", now)
	if left, _ := filepath.Glob(c.path(".parley-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	c.mustRun("sessions", "undo", "--yes")
	c.isNow("with room", was)
}
