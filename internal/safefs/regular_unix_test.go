//go:build unix

package safefs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Neither a pipe without a writer nor a device without an end is waited for, also behind a link.
func TestWhatIsNotAFileIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"zero": "/dev/zero", "tty": "/dev/tty", "to-pipe": "pipe", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pipe", "zero", "tty", "to-pipe", "loop"} {
		for _, links := range []Links{FollowLinks, NoLinks} {
			got, err := ReadFile(t.Context(), filepath.Join(dir, name), 1<<20, links)
			if err == nil || name != "loop" && !errors.Is(err, ErrNotRegular) {
				t.Errorf("%s, %v: %d bytes, %v", name, links, len(got), err)
			}
		}
	}
}

// swapped is a opener in which a pipe takes the file's opener after it was looked at.
type swapped struct{ onDisk }

func (s swapped) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if err := errors.Join(os.Remove(name), syscall.Mkfifo(name, 0o600)); err != nil {
		return nil, err
	}
	return s.onDisk.OpenFile(name, flag, perm)
}

func TestAPipeThatTakesTheFilesPlaceIsRefused(t *testing.T) {
	for _, links := range []Links{FollowLinks, NoLinks} {
		path := put(t, "hello", t.TempDir(), "a")
		if _, err := readFile(t.Context(), swapped{}, path, 10, links); !errors.Is(err, ErrNotRegular) {
			t.Error(err)
		}
	}
}

func TestAReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := put(t, "hello", t.TempDir(), "a")
	if _, err := ReadFile(ctx, path, 10, NoLinks); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r, w, err := os.Pipe() // which waits, as some files of /proc do
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	if _, err := w.Write([]byte("hel")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := Read(ctx, r, 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
