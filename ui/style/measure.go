package style

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Measure counts the columns of text as the terminal does: by code points, until it grants grapheme clusters. Layouts depend
// on it.
type Measure struct{ Method ansi.Method }

// Width returns the number of columns of s; control sequences take none.
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
	// A cluster is wider than the row: cut without styles.
	if w == 1 {
		return "…"
	}
	return m.fill(nil, Unstyled(s), w-1)[0] + "…"
}

// ClipLeft cuts s at its beginning to w columns, for paths.
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

// ClipMiddle cuts s in its middle to w columns, for paths: the name of the file matters most, then where its path begins.
func (m Measure) ClipMiddle(s string, w int) string {
	if m.Width(s) <= w {
		return s
	}
	front := ""
	if w >= 12 {
		front = m.Method.Truncate(s, w/3, "")
	}
	return front + m.ClipLeft(s[len(front):], w-m.Width(front))
}

// Pad fills s with spaces to w columns, or cuts it.
func (m Measure) Pad(s string, w int) string {
	n := m.Width(s)
	if n > w {
		s = m.Clip(s, w)
		n = m.Width(s)
	}
	return s + strings.Repeat(" ", max(0, w-n))
}

// Spread joins left and right at the two ends of w columns. It cuts left first.
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

// Hints returns as many hints of s, which " · " separates, as fit into w columns, none of them cut. One that lists three things or more
// loses the last of them first. The last hint, which is how to leave, is always there, if necessary with its key alone.
func (m Measure) Hints(s string, w int) string {
	all := strings.Split(s, " · ")
	last := all[len(all)-1]
	key, _, _ := strings.Cut(last, " ")
	for n := len(all) - 1; n > 0; n-- {
		for hint := all[n-1]; hint != ""; hint = shorter(hint) {
			all[n-1] = hint
			front := strings.Join(all[:n], " · ") + " · "
			if m.Width(front+last) <= w {
				return front + last
			}
			if n == 1 && m.Width(front+key) <= w {
				return front + key
			}
		}
	}
	if m.Width(last) > w {
		last = key
	}
	return m.Clip(last, w)
}

// shorter returns a hint that lists three things or more with one less, at last with its key alone, and "" for any other.
func shorter(hint string) string {
	front, cut := strings.CutSuffix(hint, ", …")
	if i := strings.LastIndex(front, ", "); cut && i >= 0 || strings.Count(front, ", ") > 1 {
		return front[:i] + ", …"
	} else if cut {
		key, _, _ := strings.Cut(hint, " ")
		return key + " more"
	}
	return ""
}

// noBreak replaces hyphens while text is wrapped. It is as wide, and Unicode reserves it for use within programs.
const noBreak = "\ufdd0"

// Wrap breaks s into rows of at most w columns, at spaces if possible, and never behind a hyphen, because addresses, paths and
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
		whole := strings.ReplaceAll(line, "-", noBreak) // Method.Wrap breaks behind hyphens
		for row := range strings.SplitSeq(m.Method.Wrap(whole, w, " "), "\n") {
			row = strings.ReplaceAll(row, noBreak, "-")
			if m.Width(row) > w { // a cluster can be wider than any row
				rows = m.fill(rows, row, w)
				continue
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// Hardwrap breaks s into rows of at most w columns where the row is full. It keeps every character, for commands that will run
// as shown.
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

// fill appends rows of w columns with the text of a line without control sequences. It splits a cluster only if it is wider
// than a row.
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
