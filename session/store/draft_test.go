package store

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/session"
)

func TestDrafts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "composer")
	d := NewDrafts(dir)
	long := "dir:/" + strings.Repeat("long/", 500)
	texts := map[string]string{"dir:/src": "half a tho", "session:s1": "line one\nline two \x1b[31m é 語", long: "x"}
	for key := range texts {
		if text, err := d.Load(key); text != "" || err != nil {
			t.Errorf("a draft from nowhere: %q, %v", text, err)
		}
	}
	for key, text := range texts {
		if err := d.Save(key, "older"); err != nil {
			t.Fatal(err)
		}
		if err := d.Save(key, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = NewDrafts(dir)
	for key, want := range texts {
		if text, err := d.Load(key); text != want || err != nil {
			t.Errorf("%.20s: %q, %v", key, text, err)
		}
	}
	for key := range texts {
		if err := d.Save(key, ""); err != nil {
			t.Fatal(err)
		}
		if err := d.Save(key, ""); err != nil {
			t.Error("removing nothing failed:", err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDraftErrors(t *testing.T) {
	dir := t.TempDir()
	d := NewDrafts(dir)
	if err := os.WriteFile(d.path("k"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Load("k"); session.KindOf(err) != session.KindCorrupt {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, digest("other")+".json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Load("other"); session.KindOf(err) != session.KindCorrupt {
		t.Error(err)
	}
	blocked := NewDrafts(filepath.Join(d.path("k"), "below-a-file"))
	if err := blocked.Save("k", "x"); session.KindOf(err) != session.KindDisk {
		t.Error(err)
	}
}

func TestDraftsAreReplacedAsAWhole(t *testing.T) {
	d := NewDrafts(t.TempDir())
	var wg sync.WaitGroup
	texts := []string{strings.Repeat("a", 5000), strings.Repeat("b", 5000)}
	if err := d.Save("k", texts[0]); err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		wg.Go(func() {
			for range 50 {
				if err := d.Save("k", text); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 100 {
		if text, err := d.Load("k"); err != nil || text != texts[0] && text != texts[1] {
			t.Fatalf("%.10q…, %v", text, err)
		}
	}
	wg.Wait()
}

// gone is a process that has ended.
func gone(t *testing.T) holder {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	who := holder{pid: cmd.Process.Pid, start: processStart(cmd.Process.Pid)}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return who
}

func save(t *testing.T, d *Drafts, key, text string) {
	t.Helper()
	if err := d.Save(key, text); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, d *Drafts, key string) string {
	t.Helper()
	text, err := d.Load(key)
	if err != nil {
		t.Error(err)
	}
	return text
}

// TestDraftsOfTwoWindows writes under one key in several windows: no window sees the text of another open one, none is
// written over, and what a window leaves, however it ends, is the next one's.
func TestDraftsOfTwoWindows(t *testing.T) {
	dir := t.TempDir()
	first, second := NewDrafts(dir), NewDrafts(dir)
	save(t, first, "k", "of the first")
	if text := load(t, second, "k"); text != "" {
		t.Errorf("the second window shows %q", text)
	}
	save(t, second, "k", "of the second")
	if a, b := load(t, first, "k"), load(t, second, "k"); a != "of the first" || b != "of the second" {
		t.Errorf("%q and %q", a, b)
	}
	third := NewDrafts(dir)
	if text := load(t, third, "k"); text != "" {
		t.Errorf("the third window shows %q", text)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if a, b := load(t, third, "k"), load(t, third, "k"); a != "of the first" || b != a {
		t.Errorf("after the first was left, %q and %q", a, b)
	}
	save(t, second, "k", "")
	killed := NewDrafts(dir)
	killed.owner = gone(t)
	save(t, killed, "k", "of a killed one")
	if text := load(t, second, "k"); text != "of a killed one" {
		t.Errorf("after a kill %q", text)
	}
	old := filepath.Join(dir, digest("old")+".json") // as earlier versions named it
	if err := os.WriteFile(old, []byte(`{"key":"old","text":"of before"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if text := load(t, second, "old"); text != "of before" {
		t.Errorf("of an earlier version %q", text)
	}
}

// TestOneWindowTakesADraft lets many windows look for a draft at the same time.
func TestOneWindowTakesADraft(t *testing.T) {
	dir := t.TempDir()
	left := NewDrafts(dir)
	save(t, left, "k", "left")
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var got []string
	for range 16 {
		wg.Go(func() {
			if text, err := NewDrafts(dir).Load("k"); err != nil {
				t.Error(err)
			} else if text != "" {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, text)
			}
		})
	}
	wg.Wait()
	if len(got) != 1 || got[0] != "left" {
		t.Errorf("%d windows have it: %q", len(got), got)
	}
}
