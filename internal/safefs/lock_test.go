package safefs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A lock belongs to the open file, and ends with it.
func TestTry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	if err := TryLock(first); err != nil {
		t.Fatal(err)
	}
	if err := TryLock(second); !errors.Is(err, ErrHeld) {
		t.Errorf("a second lock: %v", err)
	}
	first.Close()
	if err := TryLock(second); err != nil {
		t.Errorf("after the first was closed: %v", err)
	}
}
