package md

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/ui/md/cells"
	"parley/ui/md/highlight"
)

// DiffOptions control the layout of a patch.
type DiffOptions struct {
	Options
	// Path is the changed file, for patches that do not name it. It decides the language.
	Path string
	// Shown is the number of rows that the caller shows; lines below get no colors. 0 means all.
	Shown int
	// Split places the old lines at the left and the new ones at the right, where Width has room for both. Files that were
	// created or deleted have one side only and use all of it.
	Split bool
	// Digits is the least number of digits that line numbers are given room for, so that parts of one patch align.
	Digits int
}

// Diff lays out a unified patch: each line with its number, a sign, and the text, which wraps below itself. The number of a
// removed line is the one it had, that of another line the one it has. A row separates two hunks; if the patch changes
// several files, their names precede their hunks. The rest of the patch is dropped. Rows are never wider than Width. Each
// side of a hunk is lexed separately.
func Diff(patch string, o DiffOptions) []string {
	d := differ{r: newRenderer(o.Options), o: o}
	return d.rows(patch)
}

// TraceDiff returns what the rows of Diff represent: the lines of the files without numbers and signs, in the order of the
// patch. Where two lines share a row, the removed ones are in Left, and the first row of their change has them as its Lead.
func TraceDiff(patch string, o DiffOptions) Traced {
	d := differ{r: newTracer(o.Options), o: o}
	n := len(d.rows(patch))
	return Traced{Rows: d.r.trace.rows[:n], Left: d.left}
}

// differ lays out hunks.
type differ struct {
	r      *renderer
	o      DiffOptions
	digits int
	// before and after are the colors of the two sides of a hunk.
	before, after highlight.Lines
	// left and column are the traces of left halves: of the changes before, and of the one that is being laid out.
	left   []TracedColumn
	column []TracedRow
}

// rows lays out a patch.
func (d *differ) rows(patch string) []string {
	hunks, r := parsePatch(cells.Visible(patch)), d.r
	files, last := 0, 0
	for _, h := range hunks {
		if h.file != "" {
			files++
		}
		last = max(last, h.old+len(h.lines), h.new+len(h.lines))
	}
	d.digits = max(len(strconv.Itoa(last)), d.o.Digits, 2)
	var rows []string
	for i, h := range hunks {
		if h.file != "" && files > 1 {
			r.run.clear()
			r.run.put(h.file, r.base.with(r.theme.source.fileName))
			rows = r.flow(rows, r.outer())
		} else if i > 0 {
			r.trace.row(len(rows), r.outer(), r.theme.source.skipped)
			rows = append(rows, r.pen.paint(r.theme.source.skipped, r.base.with(r.theme.source.quiet)))
		}
		d.before, d.after = highlight.Lines{}, highlight.Lines{}
		if d.o.Shown == 0 || len(rows) < d.o.Shown {
			d.lex(h)
		}
		if d.splits(h) {
			rows = d.halves(rows, h)
			continue
		}
		for _, l := range d.lines(h, compare(h.lines).words) {
			rows = d.line(rows, l, l.number, r.outer())
		}
	}
	return rows
}

// lex gets the tokens of both sides of a hunk.
func (d *differ) lex(h hunk) {
	name := h.name
	if name == "" {
		name = d.o.Path
	}
	if name == "" || d.r.Highlighter == nil {
		return
	}
	most := d.o.Shown
	if d.splits(h) {
		most *= 2
	}
	var before, after []byte
	for i, line := range h.lines {
		if most > 0 && i >= most {
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

// diffLine is a line of a change.
type diffLine struct {
	number         int // 0 is none
	before         int // the number that an unchanged line had
	sign, text     string
	tokens         []highlight.Token
	look, signLook overlay
	numberLook     overlay
	words          marks
}

// lines returns the lines of a hunk, with what changed within each.
func (d *differ) lines(h hunk, words map[int][]extent) []diffLine {
	old, new := h.old, h.new
	th := d.r.theme
	all := make([]diffLine, len(h.lines))
	for i, line := range h.lines {
		sign, text := cutSign(line)
		l := diffLine{sign: " ", text: text, number: new, before: old, numberLook: th.source.quiet, words: marks{parts: words[i]}}
		switch sign {
		case '-':
			l.sign, l.number, l.tokens = "-", old, slices.Clone(d.before.Next(len(text)))
			l.look, l.signLook, l.words.over = th.removed.line, th.removed.sign, th.removed.word
			l.numberLook = th.removed.sign
			old++
		case '+':
			l.sign, l.tokens = "+", slices.Clone(d.after.Next(len(text)))
			l.look, l.signLook, l.words.over = th.added.line, th.added.sign, th.added.word
			l.numberLook = th.added.sign
			if h.old == 0 && th.source.look.bg != nil { // all of a new file is new
				l.look, l.signLook = th.source.plain.then(overlay{bg: th.source.look.bg}), th.added.sign.then(overlay{bg: th.source.look.bg})
				l.numberLook = th.source.quiet
			}
			new++
		case '\\':
			l.number, l.before, l.text, l.look = 0, 0, strings.TrimSpace(text), th.source.quiet
		default:
			d.before.Next(len(text))
			l.tokens, l.look = slices.Clone(d.after.Next(len(text))), th.source.plain
			old, new = old+1, new+1
		}
		if !th.tinted && sign != ' ' {
			l.tokens = nil
		}
		all[i] = l
	}
	return all
}

// head returns what precedes the sign, with the number right-aligned; nothing if a row of so many cells has no room.
func (d *differ) head(number string, width int) string {
	head := fmt.Sprintf("%*s ", d.digits, number)
	if len(head)+2 > width/2 {
		return ""
	}
	return head
}

// line appends the rows of one line: its number, its sign, its text in the colors of the tokens, on its surface.
func (d *differ) line(rows []string, l diffLine, n int, b box) []string {
	r := d.r
	number := ""
	if n > 0 {
		number = strconv.Itoa(n)
	}
	head := d.head(number, b.width)
	w := len(head) + 2
	b.look = r.base.with(l.look)
	b.fill = b.look.bg != nil && !r.Plain
	ground := look{ink: ink{bg: b.look.bg}}
	paint := r.pen.painted
	if b.fill {
		paint = r.pen.paint
	}
	if b.width-w >= minWidth {
		b.first = paint(head, ground.with(l.numberLook)) + paint(l.sign+" ", ground.with(l.signLook))
		b.pre = paint(strings.Repeat(" ", w), ground)
		b.width, b.wide = b.width-w, b.wide-w
	}
	b.words, r.marks = true, l.words
	rows = r.codeLine(rows, l.tokens, []byte(l.text), b)
	r.marks = marks{}
	return rows
}
