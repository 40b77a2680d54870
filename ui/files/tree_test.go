package files

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"
)

func TestTreeResolvesPaths(t *testing.T) {
	tr := NewTree(TreeOptions{Dir: "/src/acme", Home: "/users/me"})
	for written, want := range map[string]string{
		"a/b.go":      "/src/acme/a/b.go",
		"../other/c":  "/src/other/c",
		"~/notes":     "/users/me/notes",
		"/etc/../etc": "/etc",
	} {
		if got := tr.Path(written); filepath.ToSlash(got) != want {
			t.Errorf("%s is %s, want %s", written, got, want)
		}
		if outside := Outside(written); outside != (written != "a/b.go") {
			t.Errorf("%s is outside: %v", written, outside)
		}
	}
}

// A query that leads out of the directory lists the directory it names, hidden entries only when they are asked for.
func TestTreeListsOtherDirectories(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Note.md", "notes.txt", ".hidden", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tr := NewTree(TreeOptions{Dir: "/nowhere"})
	for query, want := range map[string]int{"/": 3, "/no": 2, "/.h": 1, "/x": 0} {
		found, err := tr.Find(t.Context(), dir+query, 50)
		if err != nil || !found.Complete || len(found.Matches) != want {
			t.Errorf("%s finds %d files (%v), want %d", query, len(found.Matches), err, want)
		}
	}
	if found, _ := tr.Find(t.Context(), dir+"/", 2); len(found.Matches) != 2 {
		t.Errorf("the limit gives %d", len(found.Matches))
	}
}

// The directory is read again by a query once what is known of it is old, and not before.
func TestTreeRefreshesWhenOld(t *testing.T) {
	now := time.Unix(1000, 0)
	opens := 0
	disk := fstest.MapFS{"one.go": {}}
	tr := NewTree(TreeOptions{Dir: "/project", Now: func() time.Time { return now }, Open: func(string) fs.FS { opens++; return disk }})
	defer tr.Close()
	find := func() int {
		t.Helper()
		if _, err := tr.Find(t.Context(), "go", 50); err != nil {
			t.Fatal(err)
		}
		if err := tr.finder.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		found, err := tr.Find(t.Context(), "go", 50)
		if err != nil {
			t.Fatal(err)
		}
		return len(found.Matches)
	}
	if n := find(); n != 1 || tr.Walking() {
		t.Fatalf("found %d files, walking: %v", n, tr.Walking())
	}
	disk["two.go"] = &fstest.MapFile{}
	if n := find(); n != 1 {
		t.Fatalf("read again at once: %d files", n)
	}
	now = now.Add(refreshAfter + 1)
	if n := find(); n != 2 || opens != 1 {
		t.Fatalf("found %d files after a while, opened %d times", n, opens)
	}
}
