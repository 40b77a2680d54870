//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/changes"
	"parley/session/changes/snapshot"
)

// A run removes what no session needs, and the next one within a day looks at nothing.
func TestCopiesAreSweptOnceADay(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	data := filepath.Join(w.home, ".local", "share", "parley")
	store := snapshot.New(snapshot.Options{Dir: filepath.Join(data, "images")})
	orphan := func() string {
		t.Helper()
		kept, err := store.Put(t.Context(), []byte("of a session that is gone"))
		if err != nil {
			t.Fatal(err)
		}
		log := changes.New(changes.Options{Dir: filepath.Join(data, "edits"), Store: store}).Log("gone")
		if err := log.Add(t.Context(), changes.Change{Path: "/f", Before: snapshot.State{Kind: snapshot.None}, After: kept}); err != nil {
			t.Fatal(err)
		}
		path, old := filepath.Join(data, "images", kept.Sum[:2], kept.Sum), time.Now().Add(-30*time.Hour)
		for _, name := range []string{path, filepath.Join(data, "edits", "gone.jsonl")} {
			if err := os.Chtimes(name, old, old); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	there := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	path := orphan()
	w.mustRun("-p", "hello")
	if there(path) || there(filepath.Join(data, "edits", "gone.jsonl")) {
		t.Error("what no session needs is still there")
	}
	path = orphan()
	w.mustRun("-p", "hello")
	if !there(path) {
		t.Error("swept again within a day")
	}
	stamp, old := filepath.Join(w.home, ".local", "state", "parley", "changes-swept"), time.Now().Add(-25*time.Hour)
	if err := os.Chtimes(stamp, old, old); err != nil {
		t.Fatal(err)
	}
	w.mustRun("-p", "hello")
	if there(path) {
		t.Error("not swept a day later")
	}
}

// With changes.keep off nothing is copied, and what was recorded before can still be undone.
func TestNothingIsCopiedWhenSwitchedOff(t *testing.T) {
	w := newWorld(t).signIn(`
rules:
  - when: {prompt: write, result: false}
    reply: [{tool: Write, input: {file_path: "new.txt", content: "new\n"}}]
  - when: {}
    reply: Done.
`)
	data := filepath.Join(w.home, ".local", "share", "parley")
	w.env = append(w.env, "PARLEY_CHANGES_KEEP=false")
	w.mustRun("-p", "--permission-mode", "acceptEdits", "write")
	if _, err := os.Stat(filepath.Join(w.dir, "new.txt")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"images", "edits"} {
		if _, err := os.Stat(filepath.Join(data, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
	if o := w.run("sessions", "undo", "--yes"); o.code != 1 || !strings.Contains(o.err, "changes.keep is off") {
		t.Errorf("%+v", o)
	}
	if out := w.run("doctor").out; !strings.Contains(out, "no new ones (changes.keep)") {
		t.Errorf("%s", out)
	}
	w.env = append(w.env, "PARLEY_CHANGES_KEEP=true")
	os.Remove(filepath.Join(w.dir, "new.txt"))
	w.mustRun("-p", "--permission-mode", "acceptEdits", "write")
	w.env = append(w.env, "PARLEY_CHANGES_KEEP=false")
	w.mustRun("sessions", "undo", "--yes")
	if _, err := os.Stat(filepath.Join(w.dir, "new.txt")); err == nil {
		t.Error("an undo of what was recorded before did nothing")
	}
}

// `parley sessions rm` removes the log of the session.
func TestRemovedSessionsLeaveNoChanges(t *testing.T) {
	c := newChanger(t, 1)
	c.did(1, "Write", func() { c.write("new.txt", "new\n", 0o644) }, "new.txt")
	logs := filepath.Join(c.home, ".local", "share", "parley", "edits", "*")
	if found, _ := filepath.Glob(logs); len(found) == 0 {
		t.Fatal("there is no log")
	}
	c.mustRun("sessions", "rm", string(c.id))
	if found, _ := filepath.Glob(logs); len(found) > 0 {
		t.Errorf("left behind: %q", found)
	}
}
