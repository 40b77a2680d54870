package changes

import (
	"fmt"
	"strconv"
	"strings"
)

// piece is a part of a patch that is laid out by itself: a hunk, or some lines of a long one.
type piece struct {
	patch string // a hunk with its head
	first bool   // it begins a hunk
	apart bool   // lines of the file are left out before it
}

// The sizes of the pieces of a hunk in lines: where it is cut before an unchanged line, and where it is cut anywhere.
const (
	pieceLines = 120
	maxLines   = 480
)

// cut cuts a patch into pieces, and returns how many digits its line numbers have. With split the old and the new lines of a
// long change stay side by side.
func cut(patch string, split bool) (pieces []piece, digits int) {
	var c cutter
	for line := range strings.SplitSeq(strings.TrimSuffix(patch, "\n"), "\n") {
		if rest, is := strings.CutPrefix(line, "@@ "); is && c.oldLeft <= 0 && c.newLeft <= 0 {
			c.flush(split)
			c.begin(rest)
			continue
		}
		if c.hunks == 0 {
			continue // names of files
		}
		c.add(line)
	}
	c.flush(split)
	return c.pieces, len(strconv.Itoa(c.last))
}

// cutter is the state of cutting a patch.
type cutter struct {
	pieces           []piece
	hunks            int
	old, new         int // numbers of the next line
	gone, come       bool
	oldLeft, newLeft int
	last             int // the largest number
	lines            []string
}

// begin begins a hunk.
func (c *cutter) begin(head string) {
	c.hunks++
	var oldCount, newCount int
	c.old, oldCount = extent(head, "-")
	c.new, newCount = extent(head, "+")
	c.gone, c.come = c.new == 0 && newCount == 0, c.old == 0 && oldCount == 0
	c.oldLeft, c.newLeft = oldCount, newCount
	c.last = max(c.last, c.old+oldCount, c.new+newCount)
}

// extent returns the first line and the number of lines of one side of a hunk, as in "-41,3".
func extent(head, sign string) (at, n int) {
	for _, f := range strings.Fields(head) {
		if rest, is := strings.CutPrefix(f, sign); is {
			a, b, both := strings.Cut(rest, ",")
			at, _ = strconv.Atoi(a)
			if n = 1; both {
				n, _ = strconv.Atoi(b)
			}
			return at, n
		}
	}
	return 0, 0
}

// add adds a line to the hunk.
func (c *cutter) add(line string) {
	c.lines = append(c.lines, line)
	old, new := sides(line)
	c.oldLeft, c.newLeft = c.oldLeft-old, c.newLeft-new
}

// sides returns how many old and new lines a line of a hunk is.
func sides(line string) (old, new int) {
	switch {
	case strings.HasPrefix(line, "-"):
		return 1, 0
	case strings.HasPrefix(line, "+"):
		return 0, 1
	case strings.HasPrefix(line, `\`):
		return 0, 0
	}
	return 1, 1
}

// flush cuts the lines of the hunk that was read into pieces.
func (c *cutter) flush(split bool) {
	lines, first := c.lines, true
	if split && len(lines) > maxLines {
		lines = zipped(lines)
	}
	c.lines = nil
	for len(lines) > 0 {
		n := min(len(lines), maxLines)
		for i := pieceLines; i < n; i++ {
			if old, new := sides(lines[i]); old == 1 && new == 1 {
				n = i
			}
		}
		for n < len(lines) && strings.HasPrefix(lines[n], `\`) {
			n++
		}
		c.emit(lines[:n], first)
		lines, first = lines[n:], false
	}
}

// emit adds a piece with these lines.
func (c *cutter) emit(lines []string, first bool) {
	old, new := 0, 0
	for _, line := range lines {
		o, n := sides(line)
		old, new = old+o, new+n
	}
	atOld, atNew := c.old, c.new
	if c.come {
		atOld = 0
	}
	if c.gone {
		atNew = 0
	}
	head := fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", atOld, old, atNew, new)
	c.pieces = append(c.pieces, piece{patch: head + strings.Join(lines, "\n") + "\n", first: first, apart: first && len(c.pieces) > 0})
	c.old, c.new = c.old+old, c.new+new
}

// zipBlock is the number of removed lines that stand before as many added ones in a zipped change.
const zipBlock = maxLines / 2

// zipped returns lines of a hunk with the added lines of a long change among its removed ones, block by block.
func zipped(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); {
		from := i
		for i < len(lines) && isSide(lines[i], '-') {
			i++
		}
		mid := i
		for i < len(lines) && isSide(lines[i], '+') {
			i++
		}
		removed, added := lines[from:mid], lines[mid:i]
		if i == from {
			out = append(out, lines[i])
			i++
			continue
		}
		for len(removed)+len(added) > 0 {
			n, m := min(zipBlock, len(removed)), min(zipBlock, len(added))
			out = append(append(out, removed[:n]...), added[:m]...)
			removed, added = removed[n:], added[m:]
		}
	}
	return out
}

// isSide reports whether a line is on one side of a change, or a remark about the line before it.
func isSide(line string, sign byte) bool { return line != "" && (line[0] == sign || line[0] == '\\') }
