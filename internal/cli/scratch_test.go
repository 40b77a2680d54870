package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/scratch"
)

const scratchRules = `
rules:
  - when: {prompt: fail}
    reply: [{fault: {kind: status, status: 400}}]
  - when: {prompt: write, result: false}
    reply: [{tool: Write, input: {file_path: "new.txt", content: "new\n"}}]
  - when: {prompt: look, result: false}
    reply: [{tool: Read, input: {file_path: "new.txt"}}]
  - when: {}
    reply: Done.
`

// TestScratch begins a session in a folder of its own, resumes and copies it there, and removes the folder with the last session in it:
// through the bin and back, and for good.
func TestScratch(t *testing.T) {
	w := newWorld(t).signIn(scratchRules)
	root := filepath.Join(w.home, ".local", "share", "parley", "scratch")
	w.mustRun("-p", "--scratch", "--permission-mode", "acceptEdits", "write")
	listed := w.listed()
	if len(listed) != 1 || filepath.Dir(listed[0].Dir) != root || !scratch.Named(listed[0].Dir) {
		t.Fatalf("%+v", listed)
	}
	id, dir := string(listed[0].ID), listed[0].Dir
	has := func(want bool) {
		t.Helper()
		if data, _ := os.ReadFile(filepath.Join(dir, "new.txt")); (string(data) == "new\n") != want {
			t.Errorf("the file: %q", data)
		}
	}
	has(true)
	if o := w.run("-p", "-r", id, "look"); o.code != 0 {
		t.Errorf("resumed: %+v", o)
	}
	if o := w.run("sessions", "list", "dir:"+dir); !strings.Contains(o.out, id) {
		t.Errorf("%+v", o)
	}
	copied := strings.TrimSpace(w.mustRun("sessions", "fork", id))
	w.mustRun("sessions", "rm", id)
	has(true) // the copy works there
	w.mustRun("sessions", "rm", copied)
	has(false)
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder stays")
	}
	w.mustRun("sessions", "restore", copied)
	has(true)
	if o := w.run("sessions", "rm", "--now", copied); o.code != 2 || !strings.Contains(o.err, "the files in ") {
		t.Errorf("%+v", o)
	}
	has(true)
	if out := w.mustRun("sessions", "rm", "--now", "--yes", copied); !strings.Contains(out, "with the files in ") {
		t.Error(out)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	w.run("-p", "--scratch", "fail")
	if left, _ := os.ReadDir(root); len(left) > 0 {
		t.Errorf("a run without an answer leaves %v", left)
	}
	for _, args := range [][]string{{"--scratch", "-c"}, {"--scratch", "-r", "x"}, {"--scratch", "--worktree"}} {
		if o := w.run(append(args, "-p", "words")...); o.code != 2 || !strings.Contains(o.err, "--scratch") {
			t.Errorf("%q: %+v", args, o)
		}
	}
}

// TestScratchElsewhere removes a session whose description names a folder that is none of ours: only the session goes.
func TestScratchElsewhere(t *testing.T) {
	w := newWorld(t).signIn(scratchRules)
	w.mustRun("-p", "--scratch", "--permission-mode", "acceptEdits", "write")
	m := w.listed()[0]
	theirs := filepath.Join(w.home, "theirs")
	if err := os.Rename(m.Dir, theirs); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(theirs, m.Dir); err != nil {
		return // this system makes no links here
	}
	w.mustRun("sessions", "rm", "--now", string(m.ID))
	if _, err := os.Stat(filepath.Join(theirs, "new.txt")); err != nil {
		t.Error(err)
	}
}

// TestDirectoryGone says of a session whose directory is not there any more what to do, and refuses to begin one in such a directory.
func TestDirectoryGone(t *testing.T) {
	w := newWorld(t).signIn(scratchRules)
	w.mustRun("-p", "--scratch", "--permission-mode", "acceptEdits", "write")
	m := w.listed()[0]
	if err := os.RemoveAll(m.Dir); err != nil {
		t.Fatal(err)
	}
	o := w.run("-p", "-r", string(m.ID), "look")
	if o.code == 0 || !strings.Contains(o.err, "the directory "+m.Dir+" does not exist") || !strings.Contains(o.err, "Make it again") {
		t.Errorf("%+v", o)
	}
	if o := w.run("sessions", "show", string(m.ID)); o.code != 0 || !strings.Contains(o.out, "Done.") {
		t.Errorf("it cannot be read: %+v", o)
	}
	if got := session.KindOf(os.Mkdir(m.Dir, 0o700)); got != "" {
		t.Fatal(got)
	}
	if o := w.run("-p", "-r", string(m.ID), "again"); o.code != 0 {
		t.Errorf("made again: %+v", o)
	}
}
