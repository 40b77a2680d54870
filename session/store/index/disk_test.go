package index

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/safefs"
	"parley/session"
)

// TestFullDisk fails to add sessions while the disk is full, finds what it had, and adds them once there is room.
func TestFullDisk(t *testing.T) {
	x, l := newIndex(t), library{"a": "jitter"}
	l.update(t, x, began, 1)
	pages, err := number(x.writer.Conn, "PRAGMA page_count")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := number(x.writer.Conn, fmt.Sprintf("PRAGMA max_page_count=%d", pages+2)); err != nil { // as SQLite sees a full disk
		t.Fatal(err)
	}
	for i := range 40 {
		text := "jitter"
		for j := range 2000 {
			text += fmt.Sprintf(" word%d%04d", i, j)
		}
		l[session.ID(fmt.Sprint("b", i))] = text
	}
	if _, err := x.Update(t.Context(), l.sources(began)); session.KindOf(err) != session.KindDisk || sqlite.ErrCode(err).ToPrimary() != sqlite.ResultFull {
		t.Errorf("%v", err)
	}
	check(t, x, "jitter", "a")
	if _, err := x.Update(t.Context(), l.sources(began)); err != nil {
		t.Error(err)
	}
	check(t, x, "word391999", "b39")
}

// TestForeignLock looks while another program writes the file, reports that it cannot write meanwhile, and sets nothing aside.
func TestForeignLock(t *testing.T) {
	x, l := newIndex(t), library{"a": "jitter"}
	x.patience = 20 * time.Millisecond
	l.update(t, x, began, 1)
	other, err := sqlite.OpenConn(x.path, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := sqlitex.ExecuteTransient(other, "BEGIN IMMEDIATE", nil); err != nil {
		t.Fatal(err)
	}
	check(t, x, "jitter", "a")
	l["b"] = "jitter"
	if _, err := x.Update(t.Context(), l.sources(began)); session.KindOf(err) != session.KindDisk || sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy {
		t.Errorf("%v", err)
	}
	check(t, x, "jitter", "a")
	if _, err := os.Stat(x.path + ".damaged"); err == nil {
		t.Error("a file that is in use was set aside")
	}
	if err := sqlitex.ExecuteTransient(other, "ROLLBACK", nil); err != nil {
		t.Fatal(err)
	}
	l.update(t, x, began, 1)
	check(t, x, "jitter", "a b")

	f, err := os.OpenFile(x.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := safefs.TryLock(f); err != nil {
		t.Fatal(err)
	}
	l["c"] = "jitter"
	if read, err := x.Update(t.Context(), l.sources(began)); read != 0 || err != nil { // another process is at it
		t.Errorf("%d, %v", read, err)
	}
}

// TestUnwritable reports files and folders that cannot be written, and leaves what stands there.
func TestUnwritable(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"a folder at its place": func(path string) error { return os.MkdirAll(filepath.Join(path, "mine"), 0o700) },
		"a folder as its log":   func(path string) error { return os.MkdirAll(filepath.Join(path+"-wal", "mine"), 0o700) },
	} {
		x := New(filepath.Join(t.TempDir(), "sessions.db"))
		if err := put(x.path); err != nil {
			t.Fatal(err)
		}
		_, _, looked := x.Look(t.Context(), []string{"jitter"})
		_, updated := x.Update(t.Context(), library{"a": "jitter"}.sources(began))
		for _, err := range []error{looked, updated} {
			if err == nil || !strings.Contains(err.Error(), x.path) {
				t.Errorf("%s: %v", name, err)
			} else if what := session.ProblemOf(err, began).What; !strings.HasPrefix(what, "Couldn't open the search index: "+x.path) {
				t.Errorf("%s: %q", name, what)
			}
		}
		if err := x.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
