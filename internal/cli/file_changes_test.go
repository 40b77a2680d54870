package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/session/edits"
	"parley/session/edits/image"
)

// A run removes what no session needs, and the next one within a day looks at nothing.
func TestCopiesAreSweptOnceADay(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	data := filepath.Join(w.home, ".local", "share", "parley")
	store := image.New(image.Options{Dir: filepath.Join(data, "images")})
	orphan := func() string {
		t.Helper()
		kept, err := store.Put(t.Context(), []byte("of a session that is gone"))
		if err != nil {
			t.Fatal(err)
		}
		log := edits.New(edits.Options{Dir: filepath.Join(data, "edits"), Store: store}).Log("gone")
		if err := log.Add(t.Context(), edits.Change{Path: "/f", Before: image.State{Kind: image.None}, After: kept}); err != nil {
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
