package md

import (
	"fmt"
	"strconv"
	"strings"

	"parley/ui/md/cells"
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

// Diff lays out a unified patch: each line with its number, a sign, and the text, which wraps below itself. The number of a
// removed line is the one it had, that of another line the one it has. A row separates two hunks; if the patch changes
// several files, their names precede their hunks. The rest of the patch is dropped. Rows are never wider than Width. Each
// side of a hunk is lexed separately.
func Diff(patch string, o DiffOptions) []string {
	hunks := parsePatch(cells.Visible(patch))
	d, files := newDiffer(hunks, o)
	r := d.r
	var rows []string
	for i, h := range hunks {
		if h.file != "" && files > 1 {
			r.run.clear()
			r.run.put(h.file, r.base.with(r.theme.source.fileName))
			pad := strings.Repeat(" ", d.indent)
			rows = r.flow(rows, box{first: pad, pre: pad, width: r.Width - d.indent, look: r.base})
		} else if i > 0 {
			rows = append(rows, strings.Repeat(" ", d.indent)+r.pen.paint(r.theme.source.skipped, r.base.with(r.theme.source.quiet)))
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
	d, _ := newDiffer(parsePatch(cells.Visible(patch)), o)
	n := len(d.head("")) + 2
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
	th := d.r.theme
	words := changedIn(h.lines)
	for i, line := range h.lines {
		sign, text := cutSign(line)
		l := diffLine{sign: " ", text: text, number: new, words: marks{parts: words[i]}}
		switch sign {
		case '-':
			l.sign, l.number, l.tokens = "-", old, d.before.Next(len(text))
			l.look, l.signLook, l.words.over = th.removed.line, th.removed.sign, th.removed.word
			old++
		case '+':
			l.sign, l.tokens = "+", d.after.Next(len(text))
			l.look, l.signLook, l.words.over = th.added.line, th.added.sign, th.added.word
			if h.old == 0 && th.source.look.bg != nil { // all of a new file is new
				l.look, l.signLook = th.source.plain.then(overlay{bg: th.source.look.bg}), th.added.sign.then(overlay{bg: th.source.look.bg})
			}
			new++
		case '\\':
			l.number, l.text, l.look = 0, strings.TrimSpace(text), th.source.quiet
		default:
			d.before.Next(len(text))
			l.tokens, l.look = d.after.Next(len(text)), th.source.plain
			old, new = old+1, new+1
		}
		if !th.tinted && sign != ' ' {
			l.tokens = nil
		}
		rows = d.line(rows, l)
	}
	return rows
}

// mostApart is how many lines further on a changed line is looked for.
const mostApart = 4

// changedIn returns, by the index of a line, what changed within it. A removed line belongs to the added line that is most
// like it, in order; lines without one changed as a whole.
func changedIn(lines []string) map[int][]extent {
	all := map[int][]extent{}
	for i := 0; i < len(lines); {
		from := i
		for i < len(lines) && strings.HasPrefix(lines[i], "-") {
			i++
		}
		middle := i
		for i < len(lines) && strings.HasPrefix(lines[i], "+") {
			i++
		}
		if i == from {
			i++
			continue
		}
		next := middle
		for o := from; o < middle; o++ {
			for n := next; n < min(i, next+mostApart); n++ {
				before, after, alike := changedWords(lines[o][1:], lines[n][1:])
				if !alike {
					continue
				}
				all[o], all[n], next = before, after, n+1
				break
			}
		}
	}
	return all
}

// diffLine is a line of a change.
type diffLine struct {
	number         int // 0 is none
	sign, text     string
	tokens         []highlight.Token
	look, signLook overlay
	words          marks
}

// head returns what precedes the sign, with the number right-aligned; nothing if there is no room.
func (d *differ) head(number string) string {
	head := fmt.Sprintf("%*s%*s ", d.indent, "", d.digits, number)
	if len(head)+2 > d.r.Width/2 {
		return ""
	}
	return head
}

// line appends the rows of one line: its number, its sign, its text in the colors of the tokens, on its surface.
func (d *differ) line(rows []string, l diffLine) []string {
	r := d.r
	number := ""
	if l.number > 0 {
		number = strconv.Itoa(l.number)
	}
	head := d.head(number)
	w := len(head) + 2
	b := r.outer()
	b.look = r.base.with(l.look)
	b.fill = b.look.bg != nil && !r.Plain
	ground := look{ink: ink{bg: b.look.bg}}
	paint := func(s string, l look) string {
		if b.fill {
			return r.pen.paint(s, l)
		}
		return r.pen.painted(s, l)
	}
	indent := strings.Repeat(" ", min(d.indent, len(head)))
	b.first = indent + paint(head[len(indent):], ground.with(r.theme.source.quiet)) + paint(l.sign+" ", ground.with(l.signLook))
	b.pre = indent + paint(strings.Repeat(" ", w-len(indent)), ground)
	if b.width -= w; b.width < minWidth {
		b.first, b.pre, b.width = "", "", r.Width
	}
	r.marks = l.words
	rows = r.codeLine(rows, l.tokens, []byte(l.text), b)
	r.marks = marks{}
	return rows
}
