//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/changes"
)

// A record of changes that others have written makes an undo neither write nor remove anything outside the session's
// directories; the plan shows why, and the files count as left.
func TestUndoStaysInTheSessionsDirectories(t *testing.T) {
	for _, dirs := range []string{"", "more"} {
		t.Run("with "+dirs, func(t *testing.T) {
			w := newWorld(t).signIn(talkative)
			root, err := filepath.EvalSymlinks(w.home)
			if err != nil {
				t.Fatal(err)
			}
			more := filepath.Join(root, "more")
			if err := os.Mkdir(more, 0o700); err != nil {
				t.Fatal(err)
			}
			args := []string{"-p", "hello"}
			if dirs != "" {
				args = append([]string{"--add-dir", more}, args...)
			}
			w.mustRun(args...)
			c := w.changer()
			c.did(1, "Write", func() { c.write("inside", "new\n", 0o600) }, "inside")
			for _, path := range []string{filepath.Join(more, "a"), filepath.Join(root, "b")} {
				none, err := c.store.Take(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte("of the user\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				now, err := c.store.Take(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				change := changes.Change{Turn: c.turns[0], Call: "tampered", Tool: "Write", Path: path, Before: none, After: now}
				if err := c.log.Add(t.Context(), change); err != nil {
					t.Fatal(err)
				}
			}
			o := w.run("sessions", "undo", "--yes")
			left := map[string]int{"": 2, "more": 1}[dirs]
			if n := strings.Count(o.out, "outside the session's directories"); o.code != 1 || n != left {
				t.Errorf("%d reasons: %+v", n, o)
			}
			if _, err := os.Lstat(c.path("inside")); !os.IsNotExist(err) {
				t.Errorf("the file inside was left: %v", err)
			}
			if _, err := os.Lstat(filepath.Join(more, "a")); os.IsNotExist(err) != (dirs != "") {
				t.Errorf("the other directory: %v", err)
			}
			if _, err := os.Lstat(filepath.Join(root, "b")); err != nil {
				t.Error(err)
			}
		})
	}
}

// An undo leaves a file alone whose mode another name of it would get, too.
func TestUndoChangesNoOtherName(t *testing.T) {
	c := newChanger(t, 1)
	c.write("a", "text\n", 0o600)
	c.did(1, "Bash", func() { c.write("a", "text\n", 0o644) }, "a")
	if err := os.Link(c.path("a"), c.path("b")); err != nil {
		t.Fatal(err)
	}
	o := c.run("sessions", "undo", "--yes")
	info, err := os.Stat(c.path("b"))
	if err != nil || info.Mode().Perm() != 0o644 || o.code != 1 || !strings.Contains(o.out+o.err, "hard links") {
		t.Errorf("%v %v: %+v", info.Mode(), err, o)
	}
}
