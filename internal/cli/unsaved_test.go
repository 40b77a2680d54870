package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// nowhere makes nothing of what parley keeps in a kind of directory possible, as a read-only home does.
func (w *world) nowhere(names ...string) {
	w.t.Helper()
	file := filepath.Join(w.home, "file")
	if err := os.WriteFile(file, nil, 0o400); err != nil {
		w.t.Fatal(err)
	}
	for _, name := range names {
		w.env = append(w.env, name+"="+filepath.Join(file, name))
	}
}

// An answer is worth more than its record: where the disk takes nothing, -p warns and answers.
func TestUnsavedRuns(t *testing.T) {
	for name, dirs := range map[string][]string{
		"everything": {"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"},
		"locks":      {"XDG_STATE_HOME"},
		"sessions":   {"XDG_DATA_HOME"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t).signIn(talkative)
			w.nowhere(dirs...)
			o := w.run("-p", "hello")
			if o.code != 0 || o.out != "You said: hello\n" || strings.Count(o.err, "not saved") != 1 || !strings.Contains(o.err, "not a directory") {
				t.Errorf("%+v", o)
			}
			o = w.run("-p", "--permission-mode", "bypassPermissions", "bash")
			if _, err := os.Stat(filepath.Join(w.dir, "made")); o.code != 0 || err != nil {
				t.Errorf("%+v, %v", o, err)
			}
		})
	}
}

// A session that can be read and not written is gone on with, and stays what it was.
func TestUnsavedRunsGoOn(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "one")
	w.nowhere("XDG_STATE_HOME")
	if o := w.run("-p", "-c", "two"); o.code != 0 || o.out != "You said: two\n" || !strings.Contains(o.err, "not saved") {
		t.Errorf("%+v", o)
	}
	last := w.sim.Requests()
	if body := string(last[len(last)-1].Body); !strings.Contains(body, "You said: one") {
		t.Errorf("the session was not gone on with: %s", body)
	}
	if out := w.mustRun("sessions", "export", w.only()); strings.Contains(out, "two") {
		t.Errorf("it was written: %s", out)
	}
}

// only is the id of the only session.
func (w *world) only() string {
	w.t.Helper()
	return strings.Fields(w.mustRun("sessions", "list"))[0]
}
