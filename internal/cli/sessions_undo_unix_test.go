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

	"parley/internal/repeat"
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
	runGit(t, w.dir, "init", "-q")
	runGit(t, w.dir, "add", "a.txt", "c.sh")
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

func runGit(t *testing.T, dir string, args ...string) {
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
	kills := repeat.Times(1, 2, 4)
	for kill := range kills {
		cmd := exec.Command(os.Args[0], "sessions", "undo", "--yes")
		cmd.Env, cmd.Dir = append([]string{asParley + "=1"}, c.env...), c.dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		undone := 0
		for end := false; undone <= kill*files/kills && !end; {
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
		if undone <= kill*files/kills {
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

// TestUndoOfASessionOfClaudeCode takes back what Claude Code did by itself, as far as its transcript says what was there.
func TestUndoOfASessionOfClaudeCode(t *testing.T) {
	w := newWorld(t)
	c := &changer{world: w}
	c.write("a.go", "package a\n\nvar X = 3\n", 0o640)
	c.write("new.go", "package a\n", 0o600)
	c.write("dos.txt", "one\r\nTWO\r\n", 0o600)
	c.write("later.txt", "mine\n", 0o600)
	dir := c.path("")
	line := func(id, parent, kind, rest string) string {
		return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"type":%q,"uuid":%q,"timestamp":"2026-01-01T12:00:%02d.000Z","cwd":%q,"sessionId":%q,%s}`+"\n",
			parent, kind, id, len(id), dir, theirID, rest)
	}
	text := line("u", "null", "user", `"message":{"role":"user","content":"change it"}`)
	parent := `"u"`
	call := func(n int, tool, name, input, result string) {
		id, res := strings.Repeat("a", 2*n), strings.Repeat("r", 2*n+1)
		path := filepath.Join(dir, name)
		text += line(id, parent, "assistant", fmt.Sprintf(`"message":{"content":[{"type":"tool_use","id":"call%d","name":%q,"input":{"file_path":%q,%s}}],`+
			`"id":"m%d","model":"claude-sonnet-4-6","role":"assistant","usage":{"input_tokens":3,"output_tokens":2}}`, n, tool, path, input, n))
		text += line(res, `"`+id+`"`, "user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"call%d","content":"ok"}]},`+
			`"toolUseResult":{"filePath":%q,%s}`, n, path, result))
		parent = `"` + res + `"`
	}
	edit := func(n int, name, before, old, new, patch string) {
		call(n, "Edit", name, fmt.Sprintf(`"old_string":%q,"new_string":%q`, old, new),
			fmt.Sprintf(`"oldString":%q,"newString":%q,"originalFile":%q,"structuredPatch":[%s]`, old, new, before, patch))
	}
	edit(1, "a.go", "package a\n\nvar X = 1\n", "1", "2", `{"oldStart":1,"oldLines":3,"newStart":1,"newLines":3,"lines":[" package a"," ","-var X = 1","+var X = 2"]}`)
	call(2, "Write", "new.go", `"content":"package a\n"`, `"type":"create","content":"package a\n","originalFile":null,"structuredPatch":[]`)
	edit(3, "a.go", "package a\n\nvar X = 2\n", "2", "3", `{"oldStart":3,"oldLines":1,"newStart":3,"newLines":1,"lines":["-var X = 2","+var X = 3"]}`)
	edit(4, "dos.txt", "one\ntwo\n", "two", "TWO", `{"oldStart":2,"oldLines":1,"newStart":2,"newLines":1,"lines":["-two","+TWO"]}`)
	edit(5, "later.txt", "old\n", "old", "new", `{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-old","+new"]}`)
	text += line("end", parent, "assistant", `"message":{"content":[{"type":"text","text":"Done."}],"id":"m9","model":"claude-sonnet-4-6","role":"assistant","usage":{"input_tokens":3,"output_tokens":2}}`)
	folder := filepath.Join(w.home, ".claude", "projects", "-work")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, theirID+".jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	patch := w.mustRun("sessions", "diff", theirID, "--turn", "1")
	for _, want := range []string{"-var X = 1\n+var X = 3\n", "b/new.go\nnew file mode 100644", "-old\n+new\n"} {
		if !strings.Contains(patch, want) {
			t.Errorf("no %q in\n%s", want, patch)
		}
	}
	for range 2 { // imported once
		if out := w.mustRun("sessions", "diff", theirID, "--json"); strings.Count(out, `"id": `) != 5 {
			t.Errorf("%s", out)
		}
	}
	o := w.run("sessions", "undo", theirID, "--yes")
	if o.code != 1 || !strings.Contains(o.err, "dos.txt was left alone") || !strings.Contains(o.err, "not certain") {
		t.Errorf("%+v", o)
	}
	c.isNow("undone", map[string]string{"a.go": "-rw-r----- package a\n\nvar X = 1\n", "dos.txt": "-rw------- one\r\nTWO\r\n", "later.txt": "-rw------- old\n"})
	w.mustRun("sessions", "undo", theirID, "--redo", "--yes")
	if got := c.tree()["later.txt"]; got != "-rw------- mine\n" {
		t.Errorf("what was lost is %q again", got)
	}
	w.mustRun("sessions", "rm", "--with-transcript", theirID)
	if logs, _ := filepath.Glob(filepath.Join(w.home, ".local", "share", "parley", "edits", "*")); len(logs) > 0 {
		t.Errorf("its log is still there: %q", logs)
	}
}
