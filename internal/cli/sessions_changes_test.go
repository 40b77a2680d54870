//go:build unix

package cli

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
)

// changer is a world whose newest session has changed files, as its log says.
type changer struct {
	*world
	id    session.ID
	turns []session.TurnID
	store *snapshot.Store
	log   *changes.Log
}

// newChanger holds a session with so many turns.
func newChanger(t *testing.T, turns int) *changer {
	t.Helper()
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "hello")
	for range turns - 1 {
		w.mustRun("-p", "-c", "and more")
	}
	return w.changer()
}

func (w *world) changer() *changer {
	w.t.Helper()
	data := filepath.Join(w.home, ".local", "share", "parley")
	c := &changer{world: w, id: session.ID(w.ownSession()), store: snapshot.New(snapshot.Options{Dir: filepath.Join(data, "images")})}
	c.log = changes.New(changes.Options{Dir: filepath.Join(data, "edits"), Store: c.store}).Log(c.id)
	var shown struct {
		Events []struct {
			Type string
			Turn session.TurnID
		}
	}
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "show", "--json", string(c.id))), &shown); err != nil {
		w.t.Fatal(err)
	}
	for _, e := range shown.Events {
		if e.Type == "turn_started" {
			c.turns = append(c.turns, e.Turn)
		}
	}
	return c
}

// did records what a turn, counted from 1, does to files.
func (c *changer) did(turn int, tool string, do func(), names ...string) {
	c.t.Helper()
	states := func() (all []snapshot.State) {
		for _, name := range names {
			s, err := c.store.Take(c.t.Context(), c.path(name))
			if err != nil {
				c.t.Fatal(err)
			}
			all = append(all, s)
		}
		return all
	}
	before := states()
	do()
	after := states()
	for i, name := range names {
		change := changes.Change{Turn: c.turns[turn-1], Call: session.CallID(tool + name), Tool: tool, Path: c.path(name), Before: before[i], After: after[i]}
		if err := c.log.Add(c.t.Context(), change); err != nil {
			c.t.Fatal(err)
		}
	}
}

// path returns the path of a file with the links of its directories resolved, as changes have it.
func (c *changer) path(name string) string {
	c.t.Helper()
	real, err := filepath.EvalSymlinks(c.dir)
	if err != nil {
		c.t.Fatal(err)
	}
	return filepath.Join(real, name)
}

func (c *changer) write(name, text string, mode fs.FileMode) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.path(name)), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.path(name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Chmod(c.path(name), mode); err != nil {
		c.t.Fatal(err)
	}
}

func (c *changer) remove(name string) {
	c.t.Helper()
	if err := os.Remove(c.path(name)); err != nil {
		c.t.Fatal(err)
	}
}

// tree returns the files of the project, with their modes and contents.
func (c *changer) tree() map[string]string {
	c.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		rel, _ := filepath.Rel(c.dir, path)
		if info.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			files[rel] = "> " + target
			return err
		}
		data, _ := os.ReadFile(path)
		files[rel] = info.Mode().String() + " " + string(data)
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return files
}

func (c *changer) isNow(what string, want map[string]string) {
	c.t.Helper()
	if got := c.tree(); !maps.Equal(got, want) {
		c.t.Errorf("%s: the project is\n%q\nand should be\n%q", what, got, want)
	}
}

// busyDay lets three turns change files in every way, and returns the project before each and at the end.
func busyDay(t *testing.T) (c *changer, was [4]map[string]string) {
	c = newChanger(t, 3)
	c.write("a.go", "package a\n\nfunc A() {}\n", 0o644)
	c.write("old.txt", "old\n", 0o600)
	c.write("sub/tool.sh", "#!/bin/sh\n", 0o644)
	c.write("bin", "\x00\x01", 0o644)
	was[0] = c.tree()
	c.did(1, "Edit", func() {
		c.write("a.go", "package a\n\nfunc A() { B() }\n", 0o644)
		c.write("sub/new file.go", "package b\n", 0o644)
	}, "a.go", "sub/new file.go")
	was[1] = c.tree()
	c.did(2, "Bash", func() {
		c.remove("old.txt")
		c.write("bin", "\x00\x02", 0o644)
		c.write("a.go", "package a\n\nfunc A() { B(); C() }\n", 0o644)
		c.write("sub/tool.sh", "#!/bin/sh\n", 0o755)
		if err := os.Symlink("a.go", c.path("link")); err != nil {
			t.Fatal(err)
		}
	}, "old.txt", "bin", "a.go", "sub/tool.sh", "link")
	was[2] = c.tree()
	c.did(3, "Write", func() { c.write("empty", "", 0o644) }, "empty")
	was[3] = c.tree()
	return c, was
}

func TestSessionsDiff(t *testing.T) {
	c, _ := busyDay(t)
	golden(t, "diff", c.mustRun("sessions", "diff"))
	golden(t, "diff turn", c.mustRun("sessions", "diff", string(c.id[:8]), "--turn", "1"))
	golden(t, "diff stat", c.mustRun("sessions", "diff", "--stat"))
	golden(t, "diff of a file", c.mustRun("sessions", "diff", "sub/tool.sh"))
	if got := c.mustRun("sessions", "diff", "--", "sub"); !strings.Contains(got, "new file.go") || strings.Contains(got, "a.go b/a.go") {
		t.Errorf("a directory: %s", got)
	}
	var all []map[string]any
	if err := json.Unmarshal([]byte(c.mustRun("sessions", "diff", "--json", "--turn", "2", "a.go")), &all); err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	one := all[0]
	if one["turn"] != 2.0 || one["path"] != c.path("a.go") || one["status"] != "open" || one["added"] != 1.0 || one["removed"] != 1.0 ||
		one["tool"] != "Bash" || one["before"].(map[string]any)["mode"] != "0644" || !strings.Contains(one["patch"].(string), "+func A() { B(); C() }") {
		t.Errorf("%v", one)
	}
	if got := c.mustRun("sessions", "diff", "--json", "--turn", "3"); !strings.Contains(got, `"kind": "none"`) {
		t.Errorf("a new file: %s", got)
	}
	for _, tc := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--turn", "7"}, 2, "the session has 3 turns, counted from 1"},
		{[]string{"nowhere"}, 1, "nowhere"},
		{[]string{"./nowhere"}, 2, "It changed a.go, sub/new file.go, old.txt, bin, sub/tool.sh, link, and 1 more file."},
		{[]string{"--stat", "--json"}, 2, "not both"},
	} {
		if o := c.run(append([]string{"sessions", "diff"}, tc.args...)...); o.code != tc.code || !strings.Contains(o.err, tc.says) {
			t.Errorf("%q: %+v", tc.args, o)
		}
	}
}

// Git takes back what the patch says, so that the tree is as before the session.
func TestGitTakesBackWhatSessionsDiffPrints(t *testing.T) {
	c, was := busyDay(t)
	c.did(3, "Edit", func() { c.write("bin", "\x00\x01", 0o644) }, "bin") // no patch has bytes that are not text
	patch := c.mustRun("sessions", "diff")
	cmd := exec.Command("git", "apply", "-R")
	cmd.Dir, cmd.Stdin = c.dir, strings.NewReader(patch)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(c.dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, patch)
	}
	want := was[0]
	want["old.txt"] = strings.Replace(want["old.txt"], "-rw-------", "-rw-r--r--", 1) // git knows no such mode
	c.isNow("git apply -R", want)
}

// TestUndoOfWhatIsAsItWas undoes a change that somebody else has taken back: no file changes, and none is counted.
func TestUndoOfWhatIsAsItWas(t *testing.T) {
	c, _ := busyDay(t)
	c.remove("empty") // which turn 3 made
	if out := c.mustRun("sessions", "undo", "--turn", "3", "--yes"); !strings.Contains(out, "Nothing to change") || strings.Contains(out, "Undid") {
		t.Errorf("%s", out)
	}
}

func TestSessionsUndo(t *testing.T) {
	c, was := busyDay(t)
	before := c.tree()
	o := c.run("sessions", "undo")
	golden(t, "undo plan", strings.ReplaceAll(o.out, c.path(""), "/project"))
	if o.code != 2 || !strings.Contains(o.err, "--yes does it.") {
		t.Errorf("without a terminal: %+v", o)
	}
	c.isNow("without an answer", before)

	if out := c.mustRun("sessions", "undo", "--turn", "3", "--yes"); !strings.Contains(out, "Undid the changes of 1 file.") {
		t.Errorf("%s", out)
	}
	c.isNow("turn 3 undone", was[2])
	if o := c.run("sessions", "undo", "--turn", "3", "--yes"); o.code != 1 || !strings.Contains(o.err, "undone already") || !strings.Contains(o.err, "--redo") {
		t.Errorf("undone twice: %+v", o)
	}
	c.mustRun("sessions", "undo", "--redo", "--yes")
	c.isNow("redone", was[3])

	c.mustRun("sessions", "undo", "--yes", "sub", "old.txt")
	now := maps.Clone(was[3])
	delete(now, "sub/new file.go")
	now["old.txt"], now["sub/tool.sh"] = was[0]["old.txt"], was[0]["sub/tool.sh"]
	c.isNow("a directory and a file undone", now)
	if out := c.mustRun("sessions", "diff", "--stat"); !strings.Contains(out, "undone\n") || !strings.Contains(out, ", 3 undone") {
		t.Errorf("undone files: %s", out)
	}
	if out := c.mustRun("sessions", "diff"); strings.Contains(out, "old.txt") {
		t.Errorf("the difference has what was undone: %s", out)
	}
	c.mustRun("sessions", "undo", "--yes")
	c.isNow("all undone", was[0])
	c.mustRun("sessions", "undo", "--redo", "--yes")
	c.isNow("the last step redone", now)
	if o := c.run("sessions", "undo", "--turn", "9", "--yes"); o.code != 2 || !strings.Contains(o.err, "3 turns") {
		t.Errorf("%+v", o)
	}
}

// What others did since is lost only with --yes, is said before, and comes back with --redo.
func TestSessionsUndoSaysWhatIsLost(t *testing.T) {
	c, was := busyDay(t)
	c.write("a.go", "package a\n\nfunc A() { B(); C() }\n\n// mine\n", 0o600)
	mine := c.tree()
	o := c.run("sessions", "undo", "--turn", "1")
	golden(t, "undo with losses", strings.ReplaceAll(o.out, c.path(""), "/project")+"\n"+o.err)
	if o.code != 2 {
		t.Errorf("%+v", o)
	}
	var step struct {
		Step  string
		Files []struct {
			Path, Action, Why string
			Done              bool
			Lost              []struct {
				By    string
				Turn  int
				Patch string
			}
		}
	}
	if err := json.Unmarshal([]byte(c.mustRun("sessions", "undo", "--turn", "1", "--yes", "--json")), &step); err != nil {
		t.Fatal(err)
	}
	if len(step.Files) != 2 || step.Step != "undo" {
		t.Fatalf("%+v", step)
	}
	f := step.Files[0]
	if f.Path != c.path("a.go") || !f.Done || f.Action != "write" || len(f.Lost) != 2 || f.Lost[0].By != "turn 2 (Bash)" || f.Lost[0].Turn != 2 ||
		f.Lost[1].By != "you, or another program" || !strings.Contains(f.Lost[1].Patch, "+// mine") {
		t.Errorf("%+v", f)
	}
	want := maps.Clone(mine)
	delete(want, "sub/new file.go")
	want["a.go"] = was[0]["a.go"]
	c.isNow("undone with losses", want)
	c.mustRun("sessions", "undo", "--redo", "--yes")
	c.isNow("losses are back", mine)
}

// A file that cannot be put back is left, and the exit code says so.
func TestSessionsUndoLeavesWhatItCannot(t *testing.T) {
	c := newChanger(t, 1)
	c.write("a", "1\n", 0o644)
	c.write("big", "1\n", 0o644)
	c.did(1, "Edit", func() { c.write("a", "2\n", 0o644) }, "a")
	unkept := snapshot.State{Kind: snapshot.File, Mode: 0o644, Size: 1 << 40, Unkept: "it is larger than 32 MB"}
	now, _ := c.store.Take(t.Context(), c.path("big"))
	if err := c.log.Add(t.Context(), changes.Change{Turn: c.turns[0], Tool: "Bash", Path: c.path("big"), Before: unkept, After: now}); err != nil {
		t.Fatal(err)
	}
	o := c.run("sessions", "undo", "--yes")
	if o.code != 1 || !strings.Contains(o.out, "Undid the changes of 1 file.") || !strings.Contains(o.err, "big was left alone.") ||
		!strings.Contains(o.err, "it is larger than 32 MB") {
		t.Errorf("%+v", o)
	}
	if got, _ := os.ReadFile(c.path("a")); string(got) != "1\n" {
		t.Errorf("a is %q", got)
	}
	if o := c.run("sessions", "undo", "--yes", "big"); o.code != 1 || o.out == "" {
		t.Errorf("only what cannot be undone: %+v", o)
	}
}

// changeNastyFiles lets the newest session change files whose names and contents are up to no good, and changes them since.
func (w *world) changeNastyFiles() {
	w.t.Helper()
	c := w.changer()
	c.did(1, nastyName, func() {
		c.write(nastyName+"/"+nastyName, nastyText+nastyFlood, 0o644)
		c.write("bytes\xff", "\xff\xfe\x1b[2J", 0o600)
		if err := os.Symlink(nastyText, c.path("to "+nastyName)); err != nil {
			w.t.Fatal(err)
		}
	}, nastyName+"/"+nastyName, "bytes\xff", "to "+nastyName)
	c.write(nastyName+"/"+nastyName, nastyText+"since\n", 0o644)
}

// golden compares what a command printed, or with -update writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(sources, "internal", "cli", "testdata", "undo", strings.ReplaceAll(name, " ", "-")+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
	}
}
