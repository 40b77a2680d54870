package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// Files whose content is made when they are read are no images, and a link that cannot be read is not described.
func TestFilesOfTheSystemAreNotKept(t *testing.T) {
	s := New(Options{Dir: realDir(t) + "/images"})
	for _, path := range []string{"/proc/self/status", "/proc/self/mem"} {
		got := take(t, s, path)
		if got.Kind != File || got.Whole() || got.Sum != "" {
			t.Errorf("%s: %+v", path, got)
		}
	}
	in := meddler{unlinked: fs.ErrPermission}
	if got, err := s.stage(t.Context(), in, "/proc/self").Keep(t.Context()); got != (State{}) || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%+v, %v", got, err)
	}
}

// In a directory that takes no files, also of root, nothing is restored, and the error says which path and why.
func TestRestoreInADirectoryThatCannotBeWritten(t *testing.T) {
	s := New(Options{Dir: realDir(t) + "/images"})
	const path = "/sys/parley-none/file"
	err := s.Restore(t.Context(), path, State{Kind: None}, put(t, s, "a"))
	if of, ok := errors.AsType[*fs.PathError](err); !ok || of.Err == nil || !strings.HasPrefix(err.Error(), "restore "+path+": ") {
		t.Error(err)
	}
	if _, err := os.Lstat("/sys/parley-none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
