//go:build unix

package git

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Something in the place of a repository's files may have no end, or no writer. The start continues anyway.
func TestBranchReadsFilesOnly(t *testing.T) {
	endless := map[string]func(path string) error{
		"a pipe":          func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device":        func(path string) error { return os.Symlink("/dev/zero", path) },
		"a terminal":      func(path string) error { return os.Symlink("/dev/tty", path) },
		"a file of /proc": func(path string) error { return os.Symlink("/proc/self/pagemap", path) },
		"a directory":     func(path string) error { return os.Mkdir(path, 0o700) },
		"a loop":          func(path string) error { return os.Symlink(path, path) },
		"a large file":    func(path string) error { return os.WriteFile(path, make([]byte, 1<<20), 0o600) },
	}
	for name, put := range endless {
		for _, at := range []string{".git/HEAD", ".git"} {
			dir := t.TempDir()
			path := filepath.Join(dir, filepath.FromSlash(at))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			if got := Branch(t.Context(), dir); got != "" {
				t.Errorf("%s as %s: %q", name, at, got)
			}
		}
	}
}
