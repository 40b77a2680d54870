package md

import (
	"fmt"
	"strconv"
	"strings"
)

// DiffOptions say how a patch is laid out.
type DiffOptions struct {
	Options
	// Indent is the number of blank cells before the line numbers.
	Indent int
}

// Diff lays out a unified patch: for every line its number before and after, a sign, and the text, the longer lines
// going on below themselves. Hunks are set apart by a row that says where the second begins; the names of the files
// stand before their hunks if the patch changes more than one. What is not part of a hunk and not a file name is left
// out. Rows are never wider than Width.
func Diff(patch string, o DiffOptions) []string {
	hunks := parsePatch(Visible(patch))
	d, files := newDiffer(hunks, o)
	r := d.r
	var rows []string
	for i, h := range hunks {
		if h.file != "" && files > 1 {
			r.clear()
			r.put(h.file, r.base.with(r.theme.syntax[heading]))
			pad := strings.Repeat(" ", d.indent)
			rows = r.flow(rows, box{first: pad, pre: pad, width: r.Width - d.indent, look: r.base})
		} else if i > 0 {
			rows = append(rows, strings.Repeat(" ", d.indent)+r.paint(r.theme.skipped, r.base.with(r.theme.quiet)))
		}
		rows = d.hunk(rows, h)
	}
	return rows
}

// newDiffer returns what lays the hunks out, and how many files they are of.
func newDiffer(hunks []hunk, o DiffOptions) (d differ, files int) {
	r := newRenderer(o.Options)
	last := 0
	for _, h := range hunks {
		if h.file != "" {
			files++
		}
		last = max(last, h.old+len(h.lines), h.new+len(h.lines))
	}
	return differ{r: r, digits: max(len(strconv.Itoa(last)), 2), indent: min(max(o.Indent, 0), r.Width/4)}, files
}

// DiffGutter is how many cells stand before the text of every line as Diff lays it out: indentation, numbers, sign.
func DiffGutter(patch string, o DiffOptions) int {
	d, _ := newDiffer(parsePatch(Visible(patch)), o)
	n := len(d.head("", "")) + 1
	if d.r.outer().width-n < minWidth {
		return 0
	}
	return n
}

// hunk is one run of lines of a patch.
type hunk struct {
	file     string // set in the first hunk of a file
	old, new int    // numbers of the first line
	lines    []string
}

func parsePatch(patch string) (hunks []hunk) {
	file := ""
	var in *hunk
	oldLeft, newLeft := 0, 0
	for line := range strings.SplitSeq(strings.TrimSuffix(patch, "\n"), "\n") {
		if in != nil && (oldLeft > 0 || newLeft > 0) || in != nil && strings.HasPrefix(line, `\`) {
			in.lines = append(in.lines, line)
			switch {
			case strings.HasPrefix(line, "-"):
				oldLeft--
			case strings.HasPrefix(line, "+"):
				newLeft--
			case !strings.HasPrefix(line, `\`):
				oldLeft, newLeft = oldLeft-1, newLeft-1
			}
			continue
		}
		name, isNew := strings.CutPrefix(line, "+++ ")
		before, isOld := strings.CutPrefix(line, "--- ")
		switch {
		case isOld:
			file = fileName(before)
		case isNew:
			if n := fileName(name); n != "" {
				file = n
			}
		case strings.HasPrefix(line, "@@"):
			h, o, n := hunkHead(line)
			h.file = file
			file, oldLeft, newLeft = "", o, n
			hunks = append(hunks, h)
			in = &hunks[len(hunks)-1]
		}
	}
	return hunks
}

// fileName returns the path in a file line without its time stamp and the a/ or b/ of git.
func fileName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if s == "/dev/null" {
		return ""
	}
	if len(s) > 2 && (s[:2] == "a/" || s[:2] == "b/") {
		s = s[2:]
	}
	return s
}

// hunkHead reads "@@ -41,3 +41,4 @@" and returns how many old and new lines follow.
func hunkHead(line string) (h hunk, oldLines, newLines int) {
	oldLines, newLines = 1, 1
	for _, f := range strings.Fields(line) {
		at, n := 0, 1
		a, b, both := strings.Cut(f[1:], ",")
		at, _ = strconv.Atoi(a)
		if both {
			n, _ = strconv.Atoi(b)
		}
		switch f[0] {
		case '-':
			h.old, oldLines = at, n
		case '+':
			h.new, newLines = at, n
		}
	}
	return h, oldLines, newLines
}

// differ lays out hunks.
type differ struct {
	r      *renderer
	digits int
	indent int
}

func (d *differ) hunk(rows []string, h hunk) []string {
	old, new := h.old, h.new
	for _, line := range h.lines {
		sign, text := byte(' '), ""
		if line != "" {
			sign, text = line[0], line[1:]
		}
		switch sign {
		case '-':
			rows = d.line(rows, old, 0, "-", text, deleted)
			old++
		case '+':
			rows = d.line(rows, 0, new, "+", text, inserted)
			new++
		case '\\':
			rows = d.line(rows, 0, 0, " ", strings.TrimSpace(text), comment)
		default:
			if sign != ' ' { // not a patch as it should be: show what is there
				text = line
			}
			rows = d.line(rows, old, new, " ", text, plain)
			old, new = old+1, new+1
		}
	}
	return rows
}

// gap stands between the numbers and before the sign.
const gap = "   "

// head is what stands before the sign, with the numbers right-aligned; nothing if there is no room.
func (d *differ) head(old, new string) string {
	head := fmt.Sprintf("%*s%*s%s%*s%s", d.indent, "", d.digits, old, gap, d.digits, new, gap)
	if len(head)+1 > d.r.Width/2 {
		return ""
	}
	return head
}

// line appends the rows of one line: its numbers (0 is none), its sign, its text. A line that was taken away or put in
// has one colour throughout, so that it is seen as a whole.
func (d *differ) line(rows []string, old, new int, sign, text string, c class) []string {
	r := d.r
	num := func(n int) string {
		if n > 0 {
			return strconv.Itoa(n)
		}
		return ""
	}
	head := d.head(num(old), num(new))
	w := len(head) + 1
	b := r.outer()
	b.look = b.look.with(r.theme.syntax[c])
	words := strings.TrimLeft(head, " ")
	blank := head[:len(head)-len(words)]
	b.first = blank + r.painted(words, r.base.with(r.theme.quiet)) + r.painted(sign, b.look)
	b.pre = strings.Repeat(" ", w)
	if b.width -= w; b.width < minWidth {
		b.first, b.pre, b.width = "", "", r.Width
	}
	return r.codeLine(rows, &scanner{}, []byte(text), b)
}
