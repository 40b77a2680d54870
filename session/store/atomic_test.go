package store

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/internal/safefs"
)

// leave puts files of two ages into dir, as a killed process leaves them, and returns what may not be removed.
func leave(t *testing.T, dir, base string) (stale string, kept []string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(name string, age time.Duration) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-age)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		return path
	}
	stale = put("."+base+".123456.tmp", 48*time.Hour)
	kept = []string{
		put("."+base+".654321.tmp", 0),          // another process is just writing it
		put("."+base+".mine.tmp", 48*time.Hour), // not of our making
		put(".notes.txt.1.tmp", 48*time.Hour),
		put("tmp", 48*time.Hour),
	}
	return stale, kept
}

func checkSwept(t *testing.T, stale string, kept []string) {
	t.Helper()
	if _, err := os.Stat(stale); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", filepath.Base(stale), err)
	}
	for _, path := range kept {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s was removed: %v", filepath.Base(path), err)
		}
	}
}

func TestSavingSweepsUpAfterKilledProcesses(t *testing.T) {
	dir := t.TempDir()
	d := NewDrafts(dir)
	stale, kept := leave(t, dir, filepath.Base(d.path("k")))
	if _, err := d.Load("k"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); err != nil {
		t.Error("loading a draft, which happens at every start, looked for leftovers")
	}
	if err := d.Save("k", "text"); err != nil {
		t.Fatal(err)
	}
	checkSwept(t, stale, kept)
}

func TestListingSweepsUpAfterKilledProcesses(t *testing.T) {
	s := testStore(t)
	fill(t, s, "s1", 1)
	stale, kept := leave(t, s.dir, filepath.Base(summaryPath(filepath.Join(s.dir, "s1.jsonl"))))
	if metas, err := s.List(context.Background()); err != nil || len(metas) != 1 {
		t.Fatalf("%v %v", metas, err)
	}
	checkSwept(t, stale, kept)
}

// The names that package safefs uses are recognised.
func TestTemporaryNames(t *testing.T) {
	for _, base := range []string{"abc.json", "s1.summary.json"} {
		f, err := os.CreateTemp(t.TempDir(), "."+base+".*"+safefs.Suffix)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		if name := filepath.Base(f.Name()); !isTemp(name) {
			t.Errorf("%s is not recognised", name)
		}
	}
	for _, name := range []string{"", ".tmp", "..tmp", ".1.tmp", ".json.1.tmp2", "a.json.1.tmp", ".a.json..tmp", ".a.jsonl.1.tmp"} {
		if isTemp(name) {
			t.Errorf("%q is taken for ours", name)
		}
	}
}
