package store

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/atomicfile"
)

// staleAfter is the age from which such a file has no writer any more. Writing one takes milliseconds.
const staleAfter = time.Hour

// isTemp reports whether a name is that of a temporary file of package atomicfile for a JSON file.
func isTemp(name string) bool {
	rest, hidden := strings.CutPrefix(name, ".")
	rest, temp := strings.CutSuffix(rest, atomicfile.Suffix)
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
