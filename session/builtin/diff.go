package builtin

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"parley/session"
)

// largestDiff bounds a comparison line by line, in bytes of both sides together.
const largestDiff = 4 << 20

// fileEdit returns the change of a file. It is pure.
func fileEdit(path string, created bool, before, after []byte) session.FileEdit {
	e := session.FileEdit{Path: path, Created: created}
	if isBinary(before) || isBinary(after) || len(before)+len(after) > largestDiff {
		return e
	}
	a, b := strings.ToValidUTF8(string(before), "\uFFFD"), strings.ToValidUTF8(string(after), "\uFFFD")
	patch := udiff.Unified("a", "b", a, b)
	// The first two lines name the files.
	for range 2 {
		if _, rest, ok := strings.Cut(patch, "\n"); ok {
			patch = rest
		}
	}
	e.Patch = patch
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "+"):
			e.Added++
		case strings.HasPrefix(line, "-"):
			e.Removed++
		}
	}
	return e
}
