package archive

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// A copy has the events up to a turn under its own id, and the original stays byte for byte as it is.
func TestForkCopiesFiles(t *testing.T) {
	h := newHome(t)
	lines := append(append([]string{begin("x")}, turn(1, "one", "1")...), turn(2, "two", "2")...)
	h.put(storedID, workspaceText, lines...)
	h.write(storedID, "inuse.1.lock", "1")
	h.add(storedID, `{"type":"torn`)
	if err := os.MkdirAll(filepath.Join(h.folder(storedID), "files", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.write(storedID, filepath.Join("files", "deep", "a.txt"), "kept")
	before, err := os.ReadFile(filepath.Join(h.folder(storedID), eventsFile))
	if err != nil {
		t.Fatal(err)
	}
	a := New(h.dir)
	for upTo, want := range map[session.TurnID]string{"": "m1 \"one\": 1 completed\nm2 \"two\": 2 completed\n", "m1": "m1 \"one\": 1 completed\n", "m2": "m1 \"one\": 1 completed\nm2 \"two\": 2 completed\n"} {
		id, err := a.Fork(context.Background(), storedID, upTo)
		if err != nil || id == storedID {
			t.Fatalf("%s: %s, %v", upTo, id, err)
		}
		if got := text(t, a, id); got != want {
			t.Errorf("%s: %q", upTo, got)
		}
		m, err := a.Describe(t.Context(), id)
		if err != nil || m.Title != "Mend the tests (fork)" || m.Dir != "/project/dir" {
			t.Errorf("%+v, %v", m, err)
		}
		events, _ := os.ReadFile(filepath.Join(h.folder(id), eventsFile))
		kept, _ := os.ReadFile(filepath.Join(h.folder(id), "files", "deep", "a.txt"))
		workspace, _ := os.ReadFile(filepath.Join(h.folder(id), workspaceFile))
		if strings.Contains(string(events), string(storedID)) || !strings.Contains(string(events), string(id)) || string(kept) != "kept" || !strings.Contains(string(workspace), "id: "+string(id)) {
			t.Errorf("%s: %.200s, %s, %s", upTo, events, kept, workspace)
		}
		if _, err := os.Lstat(filepath.Join(h.folder(id), "inuse.1.lock")); err == nil {
			t.Error("the copy has the lock of the original")
		}
	}
	if after, _ := os.ReadFile(filepath.Join(h.folder(storedID), eventsFile)); string(after) != string(before) {
		t.Error("the original was changed")
	}
	if _, err := a.Fork(t.Context(), "gone", ""); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	if _, err := a.Fork(t.Context(), storedID, "m9"); session.KindOf(err) != session.KindNotFound {
		t.Error(err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = a.Fork(done, storedID, "")
	left, _ := filepath.Glob(filepath.Join(h.dir, stateFolder, ".parley-copy-*"))
	if err == nil || len(left) > 0 {
		t.Errorf("%v, left %q", err, left)
	}
}
