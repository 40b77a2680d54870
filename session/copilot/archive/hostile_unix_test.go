//go:build unix

package archive

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"parley/session"
)

// TestOnlyRegularFilesAreRead lists and replays sessions whose files are something else. No call waits.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	h := newHome(t)
	secret := filepath.Join(h.dir, "secret")
	if err := os.WriteFile(secret, []byte(line(1, "user.message", data{"content": "secret"})+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for id, put := range map[session.ID]func(path string) error{
		"pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"link": func(path string) error { return os.Symlink(secret, path) },
		"dir":  func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		for _, name := range []string{eventsFile, workspaceFile} {
			id := id + session.ID("-"+name[:4])
			h.put(id, workspaceText, turn(1, "hi", "hello")...)
			path := filepath.Join(h.folder(id), name)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := put(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Symlink(h.folder("pipe-work"), h.folder("linked")); err != nil {
		t.Fatal(err)
	}
	a := New(h.dir)
	metas, err := a.Sessions(t.Context())
	if err != nil || len(metas) != 3 { // those whose description is something else
		t.Errorf("%d sessions, %v", len(metas), err)
	}
	for _, id := range []session.ID{"pipe-even", "link-even", "dir-even", "linked"} {
		if events, err := a.Replay(t.Context(), id); err == nil {
			t.Errorf("%s has %d events", id, len(events))
		}
		if _, err := a.Tail(t.Context(), id, 100); err == nil {
			t.Errorf("%s has an end", id)
		}
	}
}
