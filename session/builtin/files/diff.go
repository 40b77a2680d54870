package files

import (
	"strings"

	"parley/internal/linediff"
	"parley/session"
	"parley/session/builtin/tool"
)

// largestDiff bounds a comparison line by line, in bytes of both sides together.
const largestDiff = 4 << 20

// fileEdit returns the change of a file. It is pure.
func fileEdit(path string, created bool, before, after []byte) session.FileEdit {
	e := session.FileEdit{Path: path, Created: created}
	if tool.IsBinary(before) || tool.IsBinary(after) || len(before)+len(after) > largestDiff {
		return e
	}
	a, b := strings.ToValidUTF8(string(before), "\uFFFD"), strings.ToValidUTF8(string(after), "\uFFFD")
	p := linediff.Between(a, b)
	e.Patch, e.Added, e.Removed = p.Text, p.Added, p.Removed
	return e
}
