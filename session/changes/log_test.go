package changes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/changes/snapshot"
)

// newLibrary returns a library in directories of the test.
func newLibrary(t testing.TB) *Library {
	t.Helper()
	dir := t.TempDir()
	return New(Options{Dir: filepath.Join(dir, "edits"), Store: snapshot.New(snapshot.Options{Dir: filepath.Join(dir, "images")})})
}

// again returns a second library over the same files, as of another process.
func again(b *Library) *Library { return New(b.o) }

func change(path, before, after string) Change {
	return Change{Turn: "t1", Tool: "Edit", Path: path, Before: st(before), After: st(after)}
}

// summary returns the changes of a log in words.
func summary(t testing.TB, l *Log) string {
	t.Helper()
	all, err := l.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range all {
		out = append(out, strings.TrimPrefix(c.Path, "/")+" "+string(c.Status))
	}
	return strings.Join(out, ", ")
}

func TestLogKeepsChanges(t *testing.T) {
	b := newLibrary(t)
	l := b.Log("s1")
	if l != b.Log("s1") {
		t.Error("two logs of one session")
	}
	if got := summary(t, l); got != "" {
		t.Errorf("a new log has %s", got)
	}
	if _, err := os.Stat(b.o.Dir); !os.IsNotExist(err) {
		t.Errorf("reading made the directory: %v", err)
	}
	if err := l.Add(t.Context(), change("/f", "A", "B"), change("/same", "A", "A"), change("/g", "-", "B")); err != nil {
		t.Fatal(err)
	}
	if err := again(b).Log("s1").Add(t.Context(), change("/h", "A", "-")); err != nil {
		t.Fatal(err)
	}
	if n, err := l.Accept(t.Context(), Scope{Paths: []string{"/f"}}); n != 1 || err != nil {
		t.Errorf("accepted %d files: %v", n, err)
	}
	for name, l := range map[string]*Log{"this": l, "another process": again(b).Log("s1")} {
		if got := summary(t, l); got != "f accepted, g open, h open" {
			t.Errorf("%s: %s", name, got)
		}
		if n, err := l.Unaccepted(t.Context()); n != 2 || err != nil {
			t.Errorf("%s: %d files are not accepted: %v", name, n, err)
		}
	}
	if info, err := os.Stat(filepath.Join(b.o.Dir, "s1.jsonl")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info.Mode(), err)
	}
}

func TestLogRefusesIDsThatAreNoFileNames(t *testing.T) {
	b := newLibrary(t)
	for _, id := range []session.ID{"", ".", "..", "../x", "a/b", "-x", ".hidden", "a\x00b", session.ID(strings.Repeat("a", 300))} {
		l := b.Log(id)
		if err := l.Add(t.Context(), change("/f", "A", "B")); session.KindOf(err) != session.KindInvalid {
			t.Errorf("Add to %q: %v", id, err)
		}
		if _, err := l.Changes(t.Context()); session.KindOf(err) != session.KindInvalid {
			t.Errorf("Changes of %q: %v", id, err)
		}
	}
}
