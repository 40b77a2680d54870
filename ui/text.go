package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// measure tells how many columns text takes. Until the terminal grants grapheme clustering it counts every code point
// by itself, because that is how the terminal will lay it out. It is part of every layout's key.
type measure struct{ method ansi.Method }

// width is the number of columns s takes; control sequences take none.
func (m measure) width(s string) int {
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
	return m.method.StringWidth(s)
}

// clip cuts s to w columns and marks a cut with an ellipsis.
func (m measure) clip(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if m.width(s) <= w {
		return s
	}
	if cut := m.method.Truncate(s, w, "…"); m.width(cut) <= w {
		return cut
	}
	// A cluster wider than the row came through; the styles are given up for it.
	if w == 1 {
		return "…"
	}
	return m.fill(nil, unstyled(s), w-1)[0] + "…"
}

// clipLeft cuts s at its front to w columns, for paths, whose end says more than their beginning.
func (m measure) clipLeft(s string, w int) string {
	n := m.width(s)
	if n <= w {
		return s
	}
	if w <= 1 {
		return m.clip(s, w)
	}
	return m.method.TruncateLeft(s, n-w+1, "…")
}

// pad fills s with spaces up to w columns and cuts what is longer.
func (m measure) pad(s string, w int) string {
	n := m.width(s)
	if n > w {
		s = m.clip(s, w)
		n = m.width(s)
	}
	return s + strings.Repeat(" ", max(0, w-n))
}

// spread puts left and right at the two ends of w columns. The right one wins where both do not fit.
func (m measure) spread(left, right string, w int) string {
	r := m.width(right)
	if r == 0 {
		return m.clip(left, w)
	}
	if r >= w {
		return m.clip(right, w)
	}
	return m.pad(left, w-r-1) + " " + right
}

// hints are keys with what they do, divided by " · ": as many of them as there is room for. The last one, which is how to
// get out, goes last; its key alone says it, too.
func (m measure) hints(s string, w int) string {
	all := strings.Split(s, " · ")
	last := all[len(all)-1]
	key, _, _ := strings.Cut(last, " ")
	for n := len(all) - 1; n > 0; n-- {
		front := strings.Join(all[:n], " · ") + " · "
		if m.width(front+last) <= w {
			return front + last
		}
		if n == 1 && m.width(front+key) <= w {
			return front + key
		}
	}
	return m.clip(last, w)
}

// wrap breaks s into rows of at most w columns, at spaces where it can. Line breaks stay.
func (m measure) wrap(s string, w int) []string {
	if w < 1 {
		w = 1
	}
	var rows []string
	for line := range strings.SplitSeq(s, "\n") {
		if m.width(line) <= w {
			rows = append(rows, line)
			continue
		}
		for row := range strings.SplitSeq(m.method.Wrap(line, w, " "), "\n") {
			if m.width(row) > w { // one cluster can be wider than any row
				rows = m.fill(rows, row, w)
				continue
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// hardwrap breaks s into rows of at most w columns wherever the row is full: nothing is moved or lost, which is what a
// command that will run as it stands needs.
func (m measure) hardwrap(s string, w int) []string {
	if w < 1 {
		w = 1
	}
	var rows []string
	for line := range strings.SplitSeq(s, "\n") {
		if m.width(line) <= w {
			rows = append(rows, line)
			continue
		}
		rows = m.fill(rows, line, w)
	}
	return rows
}

// fill adds rows of w columns with the text of a line, which holds no control sequences. A cluster stays whole unless it is
// wider than a row.
func (m measure) fill(rows []string, line string, w int) []string {
	from, at, used := 0, 0, 0
	add := func(size, width int) {
		if used+width > w && at > from {
			rows = append(rows, line[from:at])
			from, used = at, 0
		}
		at, used = at+size, used+width
	}
	for at < len(line) {
		_, width, size, _ := m.method.DecodeSequenceInString(line[at:], 0, nil)
		if size <= 0 {
			break
		}
		if width <= w {
			add(size, width)
			continue
		}
		for _, r := range line[at : at+size] {
			add(utf8.RuneLen(r), m.width(string(r)))
		}
	}
	return append(rows, line[from:])
}

// seconds says a duration the short way: "4s", "2m 05s", "1h 12m".
func seconds(d time.Duration) string {
	s := int(d / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm %02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh %02dm", s/3600, s/60%60)
}

// age says how long ago something was: "now", "5 min", "2 h", "3 d".
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d/time.Hour))
	}
	return fmt.Sprintf("%d d", int(d/(24*time.Hour)))
}

// thousands says a number of tokens: "900", "41k", "1.2M".
func thousands(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	s := fmt.Sprintf("%.1f", float64(n)/1e6)
	return strings.TrimSuffix(s, ".0") + "M"
}

// count says how many there are of something.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return group(n) + " " + many
}

// group writes a number with separators between the thousands.
func group(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// lineCount is the number of lines of s, where a last line without line end counts.
func lineCount(s string) int {
	if s == "" {
		return 0
	}
	n := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// homely shortens a directory below the user's home to "~/...".
func homely(dir, home string) string {
	if home == "" || home == string(os.PathSeparator) {
		return dir
	}
	if dir == home {
		return "~"
	}
	if rest, ok := strings.CutPrefix(dir, strings.TrimSuffix(home, "/")+"/"); ok {
		return "~/" + filepath.ToSlash(rest)
	}
	return dir
}

// versionedModel is an id that ends with a version, with dots or dashes, and perhaps with a date or the mark of a longer
// context window.
var versionedModel = regexp.MustCompile(`^([a-z-]*[a-z])-(\d+(?:[.-]\d{1,2})?)(-\d{8})?(\[\dm\])?$`)

// shortModel is a model's id the way people say it: without the vendor, and with a space before the version, however a
// runtime spells it.
func shortModel(id string) string {
	rest, ok := strings.CutPrefix(id, "claude-")
	if !ok {
		return id
	}
	if m := versionedModel.FindStringSubmatch(rest); m != nil {
		return m[1] + " " + strings.ReplaceAll(m[2], "-", ".")
	}
	return rest
}
