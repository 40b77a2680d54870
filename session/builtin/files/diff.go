package files

import (
	"strings"

	"parley/internal/linediff"
	"parley/session"
)

// maxDiff bounds a comparison line by line, in bytes of both sides together.
const maxDiff = 4 << 20

// fileEdit returns the change of a file. It is pure.
func fileEdit(path string, created bool, before, after []byte) session.FileEdit {
	e := session.FileEdit{Path: path, Created: created}
	a, textual := decode(before)
	b, still := decode(after)
	if !textual || !still || len(before)+len(after) > maxDiff {
		return e
	}
	p := linediff.Between(strings.ToValidUTF8(a.s, "\uFFFD"), strings.ToValidUTF8(b.s, "\uFFFD"))
	e.Patch, e.Added, e.Removed = p.Text, p.Added, p.Removed
	return e
}
