//go:build unix

package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// TestOnlyRegularFilesAreJournals puts other things in the places of journals and locks: nothing follows them, waits for
// them or changes what they lead to.
func TestOnlyRegularFilesAreJournals(t *testing.T) {
	s := testStore(t)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{s.dir, s.lockDir, filepath.Join(s.dir, "folder.jsonl")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{filepath.Join(s.dir, "link.jsonl"), filepath.Join(s.lockDir, "new.lock")} {
		if err := os.Symlink(outside, link); err != nil {
			t.Fatal(err)
		}
	}
	metas, err := s.List(t.Context())
	if len(metas) != 0 || err == nil || !strings.Contains(err.Error(), "link.jsonl is a symbolic link") || !strings.Contains(err.Error(), "folder.jsonl is a directory") {
		t.Errorf("listed %v, %v", metas, err)
	}
	for _, id := range []session.ID{"link", "folder"} {
		_, _, _, openErr := s.Open(t.Context(), id)
		_, _, readErr := s.Read(t.Context(), id)
		_, _, tailErr := s.ReadTail(t.Context(), id, 100)
		for op, err := range map[string]error{"open": openErr, "read": readErr, "tail": tailErr, "remove": s.Remove(t.Context(), id)} {
			if session.KindOf(err) != session.KindCorrupt || !strings.Contains(err.Error(), string(id)+".jsonl") {
				t.Errorf("%s %s: %v", op, id, err)
			}
		}
	}
	if _, err := s.Create(t.Context(), session.Meta{ID: "new"}); err == nil {
		t.Error("a lock that is a link was taken")
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "mine" {
		t.Errorf("what a link leads to is now %q, %v", data, err)
	}
}
