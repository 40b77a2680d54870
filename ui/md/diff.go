package md

import (
	"fmt"
	"strconv"
	"strings"

	"parley/ui/md/highlight"
)

// DiffOptions control the layout of a patch.
type DiffOptions struct {
	Options
	// Indent is the number of blank cells before the line numbers.
	Indent int
	// Path is the changed file, for patches that do not name it. It decides the language.
	Path string
	// Shown is the number of rows that the caller shows; lines below get no colors. 0 means all.
	Shown int
}

// Diff lays out a unified patch: each line with its number before and after, a sign, and the text, which wraps below itself.
// A row separates two hunks; if the patch changes several files, their names precede their hunks. The rest of the patch is
// dropped. Rows are never wider than Width. Each side of a hunk is lexed separately.
func Diff(patch string, o DiffOptions) []string {
	hunks := parsePatch(Visible(patch))
	d, files := newDiffer(hunks, o)
	r := d.r
	var rows []string
	for i, h := range hunks {
		if h.file != "" && files > 1 {
			r.run.clear()
			r.run.put(h.file, r.base.with(r.theme.fileName))
			pad := strings.Repeat(" ", d.indent)
			rows = r.flow(rows, box{first: pad, pre: pad, width: r.Width - d.indent, look: r.base})
		} else if i > 0 {
			rows = append(rows, strings.Repeat(" ", d.indent)+r.pen.paint(r.theme.skipped, r.base.with(r.theme.quiet)))
		}
		d.before, d.after = highlight.Lines{}, highlight.Lines{}
		if o.Shown == 0 || len(rows) < o.Shown {
			d.lex(h, o)
		}
		rows = d.hunk(rows, h)
	}
	return rows
}

// lex gets the tokens of both sides of a hunk.
func (d *differ) lex(h hunk, o DiffOptions) {
	name := h.name
	if name == "" {
		name = o.Path
	}
	if name == "" || d.r.Highlighter == nil {
		return
	}
	var before, after []byte
	for i, line := range h.lines {
		if o.Shown > 0 && i >= o.Shown {
			break
		}
		sign, text := cutSign(line)
		if sign == '\\' {
			continue
		}
		if sign != '+' && d.r.theme.tinted {
			before = append(append(before, text...), '\n')
		}
		if sign != '-' {
			after = append(append(after, text...), '\n')
		}
	}
	d.before.Tokens, d.after.Tokens = d.r.colors.fileTokens(name, before), d.r.colors.fileTokens(name, after)
}

// cutSign splits the sign from a line of a hunk. A line without one counts as unchanged.
func cutSign(line string) (sign byte, text string) {
	switch {
	case line == "":
		return ' ', ""
	case strings.IndexByte("+- \\", line[0]) < 0:
		return ' ', line
	}
	return line[0], line[1:]
}

// newDiffer returns the layout of some hunks, and the number of files that they change.
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

// DiffGutter returns the cells before the text of each line that Diff lays out: indentation, numbers, sign.
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
	name     string // of the file
	old, new int    // numbers of the first line
	lines    []string
}

func parsePatch(patch string) (hunks []hunk) {
	file, name := "", ""
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
		after, isNew := strings.CutPrefix(line, "+++ ")
		before, isOld := strings.CutPrefix(line, "--- ")
		switch {
		case isOld:
			file = fileName(before)
			name = file
		case isNew:
			if n := fileName(after); n != "" {
				file, name = n, n
			}
		case strings.HasPrefix(line, "@@"):
			h, o, n := hunkHead(line)
			h.file, h.name = file, name
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
	// before and after are the colors of the two sides of a hunk.
	before, after highlight.Lines
}

func (d *differ) hunk(rows []string, h hunk) []string {
	old, new := h.old, h.new
	th, base := d.r.theme, d.r.base.with(d.r.theme.plainCode)
	for _, line := range h.lines {
		sign, text := cutSign(line)
		switch sign {
		case '-':
			rows = d.line(rows, old, 0, "-", text, d.before.Next(len(text)), d.r.base.with(th.removed))
			old++
		case '+':
			toks := d.after.Next(len(text))
			if !th.tinted {
				toks = nil
			}
			rows = d.line(rows, 0, new, "+", text, toks, d.r.base.with(th.added))
			new++
		case '\\':
			rows = d.line(rows, 0, 0, " ", strings.TrimSpace(text), nil, d.r.base.with(th.quiet))
		default:
			d.before.Next(len(text))
			rows = d.line(rows, old, new, " ", text, d.after.Next(len(text)), base)
			old, new = old+1, new+1
		}
	}
	return rows
}

// gap separates the numbers and the sign.
const gap = "   "

// head returns the numbers before the sign, right-aligned, or "" if there is no room.
func (d *differ) head(old, new string) string {
	head := fmt.Sprintf("%*s%*s%s%*s%s", d.indent, "", d.digits, old, gap, d.digits, new, gap)
	if len(head)+1 > d.r.Width/2 {
		return ""
	}
	return head
}

// line appends the rows of one line: its numbers (0 is none), its sign, its text in the colors of the tokens.
func (d *differ) line(rows []string, old, new int, sign, text string, toks []highlight.Token, l look) []string {
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
	b.look = l
	words := strings.TrimLeft(head, " ")
	blank := head[:len(head)-len(words)]
	b.first = blank + r.pen.painted(words, r.base.with(r.theme.quiet)) + r.pen.painted(sign, b.look)
	b.pre = strings.Repeat(" ", w)
	if b.width -= w; b.width < minWidth {
		b.first, b.pre, b.width = "", "", r.Width
	}
	return r.codeLine(rows, toks, []byte(text), b)
}
