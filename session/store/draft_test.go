package store

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/session"
)

func TestDrafts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "composer")
	d := NewDrafts(dir)
	long := DirKey("/" + strings.Repeat("long/", 500))
	texts := map[string]string{DirKey("/src/"): "half a tho", SessionKey("s1"): "line one\nline two \x1b[31m é 語", long: "x"}
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
	for key, want := range texts {
		if text, err := NewDrafts(dir).Load(key); text != want || err != nil {
			t.Errorf("%.20s: %q, %v", key, text, err)
		}
	}
	if DirKey("/src/") != DirKey("/src") {
		t.Error("one directory, two keys")
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
