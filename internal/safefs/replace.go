package safefs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace replaces the file that a path leads to as [WriteFileSync] does, so that a link stays, and makes the directory of a new one
// with mode 0700. A file that was there keeps its permissions. What a killed process left of such a change is removed: the caller
// holds a lock.
func Replace(path string, data []byte) error {
	real, err := target(path)
	if err != nil {
		return err
	}
	dir := filepath.Dir(real)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	left, err := filepath.Glob(filepath.Join(escaped(dir), "."+filepath.Base(real)+".*"+Suffix))
	if err != nil {
		return fmt.Errorf("look for temporary files: %w", err)
	}
	for _, name := range left {
		_ = os.Remove(name)
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(real); err == nil {
		mode = info.Mode().Perm()
	}
	return write(real, data, func(f *os.File) error { return errors.Join(f.Chmod(mode), f.Sync()) })
}

// escaped returns a path for a glob that matches it alone.
func escaped(path string) string {
	var b []byte
	for i := range len(path) {
		if c := path[i]; os.PathSeparator == '/' && (c == '*' || c == '?' || c == '[' || c == '\\') {
			b = append(b, '\\')
		}
		b = append(b, path[i])
	}
	return string(b)
}

// target returns the file to replace: where a link leads, so that the link stays.
func target(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if to, linkErr := os.Readlink(path); linkErr == nil {
			return "", fmt.Errorf("it links to %s, which does not exist", to)
		}
		return path, nil
	}
	return real, err
}
