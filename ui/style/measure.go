package style

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Measure tells how many columns text takes. Until the terminal grants grapheme clustering it counts every code point
// by itself, because that is how the terminal will lay it out. It is part of every layout's key.
type Measure struct{ Method ansi.Method }

// Width is the number of columns s takes; control sequences take none.
func (m Measure) Width(s string) int {
	plain := true
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return len(s)
	}
	return m.Method.StringWidth(s)
}

// Clip cuts s to w columns and marks a cut with an ellipsis.
func (m Measure) Clip(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if m.Width(s) <= w {
		return s
	}
	if cut := m.Method.Truncate(s, w, "…"); m.Width(cut) <= w {
		return cut
	}
	// A cluster wider than the row came through; the styles are given up for it.
	if w == 1 {
		return "…"
	}
	return m.fill(nil, Unstyled(s), w-1)[0] + "…"
}

// ClipLeft cuts s at its front to w columns, for paths, whose end says more than their beginning.
func (m Measure) ClipLeft(s string, w int) string {
	n := m.Width(s)
	if n <= w {
		return s
	}
	if w <= 1 {
		return m.Clip(s, w)
	}
	return m.Method.TruncateLeft(s, n-w+1, "…")
}

// Pad fills s with spaces up to w columns and cuts what is longer.
func (m Measure) Pad(s string, w int) string {
	n := m.Width(s)
	if n > w {
		s = m.Clip(s, w)
		n = m.Width(s)
	}
	return s + strings.Repeat(" ", max(0, w-n))
}

// Spread puts left and right at the two ends of w columns. The right one wins where both do not fit.
func (m Measure) Spread(left, right string, w int) string {
	r := m.Width(right)
	if r == 0 {
		return m.Clip(left, w)
	}
	if r >= w {
		return m.Clip(right, w)
	}
	return m.Pad(left, w-r-1) + " " + right
}

// Hints are keys with what they do, divided by " · ": as many of them as there is room for. The last one, which is how to
// get out, goes last; its key alone says it, too.
func (m Measure) Hints(s string, w int) string {
	all := strings.Split(s, " · ")
	last := all[len(all)-1]
	key, _, _ := strings.Cut(last, " ")
	for n := len(all) - 1; n > 0; n-- {
		front := strings.Join(all[:n], " · ") + " · "
		if m.Width(front+last) <= w {
			return front + last
		}
		if n == 1 && m.Width(front+key) <= w {
			return front + key
		}
	}
	return m.Clip(last, w)
}

// noBreak stands for a hyphen while text is wrapped: it is as wide, and Unicode reserves it for use within programs.
const noBreak = "\ufdd0"

// Wrap breaks s into rows of at most w columns, at spaces where it can and never behind a hyphen: addresses, paths and
// flags are copied from the screen. Line breaks stay.
func (m Measure) Wrap(s string, w int) []string {
	if w < 1 {
		w = 1
	}
	var rows []string
	for line := range strings.SplitSeq(s, "\n") {
		if m.Width(line) <= w {
			rows = append(rows, line)
			continue
		}
		whole := strings.ReplaceAll(line, "-", noBreak) // the method would break behind a hyphen, too
		for row := range strings.SplitSeq(m.Method.Wrap(whole, w, " "), "\n") {
			row = strings.ReplaceAll(row, noBreak, "-")
			if m.Width(row) > w { // one cluster can be wider than any row
				rows = m.fill(rows, row, w)
				continue
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// Hardwrap breaks s into rows of at most w columns wherever the row is full: nothing is moved or lost, which is what a
// command that will run as it stands needs.
func (m Measure) Hardwrap(s string, w int) []string {
	if w < 1 {
		w = 1
	}
	var rows []string
	for line := range strings.SplitSeq(s, "\n") {
		if m.Width(line) <= w {
			rows = append(rows, line)
			continue
		}
		rows = m.fill(rows, line, w)
	}
	return rows
}

// fill adds rows of w columns with the text of a line, which holds no control sequences. A cluster stays whole unless it is
// wider than a row.
func (m Measure) fill(rows []string, line string, w int) []string {
	from, at, used := 0, 0, 0
	add := func(size, width int) {
		if used+width > w && at > from {
			rows = append(rows, line[from:at])
			from, used = at, 0
		}
		at, used = at+size, used+width
	}
	for at < len(line) {
		_, width, size, _ := m.Method.DecodeSequenceInString(line[at:], 0, nil)
		if size <= 0 {
			break
		}
		if width <= w {
			add(size, width)
			continue
		}
		for _, r := range line[at : at+size] {
			add(utf8.RuneLen(r), m.Width(string(r)))
		}
	}
	return append(rows, line[from:])
}
