package snapshot

import (
	"os"
	"path/filepath"
	"testing"
)

// realDir returns a new directory whose path has no links.
func realDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// write creates a file with just the mode.
func write(t testing.TB, path, text string, mode os.FileMode) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode))
}

func take(t testing.TB, s *Store, path string) State {
	t.Helper()
	st, err := s.Take(t.Context(), path)
	must(t, err)
	return st
}

func put(t testing.TB, s *Store, text string) State {
	t.Helper()
	st, err := s.Put(t.Context(), []byte(text))
	must(t, err)
	return st
}

// entries are the names in a directory.
func entries(t testing.TB, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// files counts the regular files below the store's directory: images, and copies without a name.
func files(t testing.TB, s *Store) (images, unnamedOnes int) {
	t.Helper()
	must(t, filepath.WalkDir(s.o.Dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case isSum(d.Name()):
			images++
		case d.Name() == lockName:
		default:
			unnamedOnes++
		}
		return nil
	}))
	return images, unnamedOnes
}
