package md

import (
	"path"
	"strconv"
	"strings"
)

// DiffOptions say how a patch is laid out.
type DiffOptions struct {
	Options
	// Lang colours the unchanged and changed lines as code; empty takes it from the file names in the patch. "none"
	// colours additions and removals only.
	Lang string
	// Indent is the number of blank cells before the line numbers.
	Indent int
}

// Diff lays out a unified patch: for every line its number before and after, a sign, and the text, the longer lines
// going on below themselves. Hunks are set apart by a row that says where the second begins; the names of the files
// stand before their hunks if the patch changes more than one. What is not part of a hunk and not a file name is left
// out. Rows are never wider than Width.
func Diff(patch string, o DiffOptions) []string {
	hunks := parsePatch(Visible(patch))
	r := newRenderer(o.Options)
	files, last := 0, 0
	for _, h := range hunks {
		if h.file != "" {
			files++
		}
		last = max(last, h.old+len(h.lines), h.new+len(h.lines))
	}
	d := differ{r: r, lang: o.Lang, digits: max(len(strconv.Itoa(last)), 3)}
	d.indent = min(max(o.Indent, 0), r.Width/4)
	var rows []string
	for i, h := range hunks {
		if h.file != "" && files > 1 {
			r.clear()
			r.put(h.file, r.base.with(r.theme.syntax[heading]))
			pad := strings.Repeat(" ", d.indent)
			rows = r.flow(rows, box{pad, pad, r.Width - d.indent, r.base})
		} else if i > 0 {
			rows = append(rows, strings.Repeat(" ", d.indent)+r.paint("⋯", r.base.with(r.theme.quiet)))
		}
		rows = d.hunk(rows, h)
	}
	return rows
}

// hunk is one run of lines of a patch.
type hunk struct {
	file     string // set in the first hunk of a file
	lang     string
	old, new int // numbers of the first line
	lines    []string
}

func parsePatch(patch string) (hunks []hunk) {
	file, lang := "", ""
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
			lang = strings.TrimPrefix(path.Ext(file), ".")
			if lang == "" {
				lang = path.Base(file)
			}
		case strings.HasPrefix(line, "@@"):
			h, o, n := hunkHead(line)
			h.file, h.lang = file, lang
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
	lang   string
	digits int
	indent int
}

func (d *differ) hunk(rows []string, h hunk) []string {
	lang := h.lang
	if d.lang != "" {
		lang = d.lang
	}
	before, after := newScanner(lang), newScanner(lang) // the two versions are different texts
	old, new := h.old, h.new
	for _, line := range h.lines {
		sign, text := byte(' '), line
		if line != "" {
			sign, text = line[0], line[1:]
		}
		switch sign {
		case '-':
			rows = d.line(rows, &before, old, 0, "-", text, deleted)
			old++
		case '+':
			rows = d.line(rows, &after, 0, new, "+", text, inserted)
			new++
		case '\\':
			rows = d.line(rows, &scanner{}, 0, 0, " ", strings.TrimSpace(text), comment)
		default:
			if sign != ' ' {
				text = line
			}
			skip := before
			d.r.toks = skip.line(d.r.toks[:0], []byte(text))
			before.state = skip.state
			rows = d.line(rows, &after, old, new, " ", text, plain)
			old, new = old+1, new+1
		}
	}
	return rows
}

// line appends the rows of one line: numbers (0 is none), sign, text.
func (d *differ) line(rows []string, sc *scanner, old, new int, sign, text string, c class) []string {
	r := d.r
	quiet := r.base.with(r.theme.quiet)
	num := func(n int) string {
		if n == 0 {
			return strings.Repeat(" ", d.digits)
		}
		s := strconv.Itoa(n)
		return strings.Repeat(" ", max(d.digits-len(s), 0)) + s
	}
	pad := strings.Repeat(" ", d.indent)
	head := pad + num(old) + "  " + num(new)
	w := d.indent + 2*d.digits + 2
	if w+4+8 > r.Width { // no room for numbers
		head, w = "", 0
	}
	b := r.outer()
	b.look = b.look.with(r.theme.syntax[c])
	mark := r.painted(sign, b.look) + " "
	if w > 0 {
		w += 2
		mark = r.painted(head+"  ", quiet) + mark
		if strings.TrimSpace(head) == "" {
			mark = strings.Repeat(" ", w) + r.painted(sign, b.look) + " "
		}
	}
	hang := strings.Repeat(" ", w+2)
	in := box{mark, hang, r.Width - w - 2, b.look}
	if in.width < minWidth {
		in = b
	}
	if c == deleted || c == comment { // one colour: what goes away needs no structure
		sc.line(nil, []byte(text))
		return r.codeLine(rows, &scanner{}, []byte(text), in)
	}
	return r.codeLine(rows, sc, []byte(text), in)
}
