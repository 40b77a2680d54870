package bin

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/session"
	"parley/session/spending"
)

// TestLargeEntries brings back a session whose description is long, as that of one that went on for years is.
func TestLargeEntries(t *testing.T) {
	w := newWorld(t)
	e := w.make("a")
	before := w.state("a")
	for len(e.Spent.Days) < 10_000 {
		e.Spent.Days = append(e.Spent.Days, spending.Day{Day: strings.Repeat("d", 200), NanoAIU: 1})
	}
	if err := w.b.Put(t.Context(), e, when); err != nil {
		t.Fatal(err)
	}
	all, err := New(w.b.dir).List(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%d entries, %v", len(all), err)
	}
	if err := w.b.Restore(t.Context(), all[0]); err != nil || w.state("a") != before {
		t.Errorf("%v: %s", err, w.state("a"))
	}
}

// TestUnreadableBin reports a bin that cannot be read, and takes it for no empty one.
func TestUnreadableBin(t *testing.T) {
	w := newWorld(t)
	if err := os.MkdirAll(w.b.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if all, err := w.b.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("one that is not there: %v, %v", all, err)
	}
	if runtime.GOOS == "windows" { // a file there is as good as nothing
		return
	}
	if err := os.WriteFile(filepath.Join(w.b.dir, whole), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.b.List(t.Context()); session.KindOf(err) != session.KindDisk {
		t.Errorf("a file in its place: %v", err)
	}
}
