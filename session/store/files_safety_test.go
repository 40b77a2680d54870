package store

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/session"
)

func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows has no permission bits")
		return
	}
	s := testStore(t)
	j := mustCreate(t, s, "s1")
	appendAll(t, j, conversation())
	modes := map[string]fs.FileMode{
		s.dir: 0o700, s.lockDir: 0o700,
		filepath.Join(s.dir, "s1.jsonl"): 0o600, filepath.Join(s.dir, "s1.summary.json"): 0o600,
		filepath.Join(s.lockDir, "s1.lock"): 0o600,
	}
	for path, want := range modes {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(s.lockDir); len(left) != 0 {
		t.Errorf("the lock file stayed: %v", left)
	}
}

func TestHostileIDsAreRefused(t *testing.T) {
	s := testStore(t)
	ctx := context.Background()
	for _, id := range []session.ID{"", ".", "..", "../x", "a/b", `a\b`, "a\x00", ".hidden", session.ID(strings.Repeat("a", 300))} {
		_, createErr := s.Create(ctx, session.Meta{ID: id})
		_, _, _, openErr := s.Open(ctx, id)
		_, _, readErr := s.Read(ctx, id)
		for _, err := range []error{createErr, openErr, readErr, s.Remove(ctx, id)} {
			if session.KindOf(err) != session.KindInvalid {
				t.Errorf("%q: %v", id, err)
			}
		}
	}
}

func TestRemove(t *testing.T) {
	s := testStore(t)
	ctx := context.Background()
	j := mustCreate(t, s, "s1")
	appendAll(t, j, conversation())
	if err := s.Remove(ctx, "s1"); session.KindOf(err) != session.KindLocked {
		t.Fatalf("a session in use was removed: %v", err)
	}
	j.Close()
	if err := s.Remove(ctx, "s1"); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(ctx, "s1"); session.KindOf(err) != session.KindNotFound {
		t.Fatalf("removed twice: %v", err)
	}
	if left, _ := os.ReadDir(s.dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
