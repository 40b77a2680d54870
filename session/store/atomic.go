package store

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tempSuffix ends the name of a file that is being written and has not got its real name yet.
const tempSuffix = ".tmp"

// staleAfter is the age from which such a file has no writer any more. Writing one takes milliseconds.
const staleAfter = time.Hour

// writeAtomically replaces a file as a whole: whoever reads it, and whatever is killed when, sees the old or the new
// content. Mode 0600. A kill may leave the temporary file behind; see removeStale.
func writeAtomically(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*"+tempSuffix)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// isTemp reports whether writeAtomically gives such names to its temporary files: a dot, the name of a JSON file, a
// number, the suffix.
func isTemp(name string) bool {
	rest, hidden := strings.CutPrefix(name, ".")
	rest, temp := strings.CutSuffix(rest, tempSuffix)
	i := strings.LastIndexByte(rest, '.')
	if !hidden || !temp || i < 0 {
		return false
	}
	return strings.HasSuffix(rest[:i], ".json") && i+1 < len(rest) && strings.Trim(rest[i+1:], "0123456789") == ""
}

// removeStale removes a temporary file that a killed process left behind. A young one may still be written by another
// process and is left alone.
func removeStale(path string) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > staleAfter {
		os.Remove(path)
	}
}

// sweep removes what killed processes left in a directory. It is best effort.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if isTemp(e.Name()) {
			removeStale(filepath.Join(dir, e.Name()))
		}
	}
}
