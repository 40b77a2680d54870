package store

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/safefs"
)

// staleAfter is the age from which a temporary file was left behind. Writing one takes milliseconds.
const staleAfter = time.Hour

// isTemp reports whether a name is that of a temporary file of package atomicfile for a JSON file.
func isTemp(name string) bool {
	rest, hidden := strings.CutPrefix(name, ".")
	rest, temp := strings.CutSuffix(rest, safefs.Suffix)
	i := strings.LastIndexByte(rest, '.')
	if !hidden || !temp || i < 0 {
		return false
	}
	return strings.HasSuffix(rest[:i], ".json") && i+1 < len(rest) && strings.Trim(rest[i+1:], "0123456789") == ""
}

// removeStale removes an old temporary file. Another process may still write a young one.
func removeStale(path string) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > staleAfter {
		os.Remove(path)
	}
}

// sweep removes the files of killed processes from a directory, ignoring errors.
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
