package md

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
)

// Traced maps the rows of a layout to their source, so that what is selected on the screen can be copied as it was
// written: without gutters, without the breaks that only the width made, with the marks and tabs of the source.
type Traced struct {
	// Rows are as many as the layout has.
	Rows []TracedRow
	// Blocks are the top-level blocks, and the items of top-level lists, that have rows, in their order.
	Blocks []TracedBlock
	// Source is the document as it is shown, which is what the offsets of the blocks count in.
	Source string
	// Kept is how many of the first rows are those that the Trace of the same Doc before had; 0 the first time.
	Kept int
}

// TracedRow is the source of one row.
type TracedRow struct {
	// Skip is how many cells at its start belong to no text: indentation, the bar of a quote, the mark of an item.
	Skip int
	// Lead is what the source has in the place of those cells where a line begins: "> ", "- ", "1. [x] ".
	Lead string
	// Text is what follows. Tabs of code are in it, though the row shows blanks up to the next stop of four.
	Text string
	// Column is the cell of its line in which Text begins, for its tabs.
	Column int
	// Join is what stands between Text and the next row's: a line feed, a blank that a break took away, or nothing where
	// a word was torn.
	Join string
	// Block is the index of the block the row belongs to, -1 between blocks.
	Block int
}

// TracedBlock is a part of the document that is laid out, and copied, on its own.
type TracedBlock struct {
	// First and Last are its rows, Last being the one behind.
	First, Last int
	// From and To are what it is written as, in Traced.Source, without the line feeds behind it.
	From, To int
	// IsCode reports whether it is a code block, Code is its text without the fences, and Lang the language as written.
	IsCode     bool
	Code, Lang string
}

// Trace lays out a document as Render does and maps the rows to their source.
func Trace(src string, o Options) Traced {
	r := newRenderer(o)
	r.trace = &tracer{}
	s := []byte(Visible(src))
	t := Traced{Source: string(s)}
	doc, _ := parse(s, nil)
	for _, p := range pieces(nil, doc, s, follows{}) {
		r.trace.rows = r.trace.rows[:0]
		rows := r.piece(nil, p, s)
		if n := len(t.Blocks); n > 0 && p.start > t.Blocks[n-1].From && t.Blocks[n-1].To == len(s) {
			t.Blocks[n-1].To = p.start
		}
		if len(rows) == 0 {
			continue
		}
		if len(t.Rows) > 0 && p.apart() {
			t.Rows = append(t.Rows, TracedRow{Join: "\n", Block: -1})
		}
		t.add(p, r.trace.rows[:len(rows)], s)
	}
	for i := range t.Blocks {
		b := &t.Blocks[i]
		b.To = b.From + len(strings.TrimRight(t.Source[b.From:b.To], " \t\n"))
	}
	return t
}

// add adds the rows of a piece. A piece whose place is unknown belongs to the block before.
func (t *Traced) add(p piece, rows []TracedRow, src []byte) {
	n := len(t.Blocks)
	if n == 0 || p.start > t.Blocks[n-1].From {
		b := TracedBlock{First: len(t.Rows), From: max(p.start, 0), To: len(src)}
		b.IsCode, b.Code, b.Lang = codeOf(p.node, src)
		t.Blocks = append(t.Blocks, b)
		n++
	} else {
		t.Blocks[n-1].IsCode = false
	}
	for _, row := range rows {
		row.Block = n - 1
		t.Rows = append(t.Rows, row)
	}
	t.Rows[len(t.Rows)-1].Join = "\n"
	t.Blocks[n-1].Last = len(t.Rows)
}

func codeOf(n ast.Node, src []byte) (is bool, code, lang string) {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		lang = string(n.Language(src))
	case *ast.CodeBlock:
	default:
		return false, "", ""
	}
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(src))
	}
	return true, b.String(), lang
}

// tracer collects what the rows of one piece stand for, by their index. What is dropped is written over.
type tracer struct{ rows []TracedRow }

func (t *tracer) set(i int, row TracedRow) {
	for len(t.rows) <= i {
		t.rows = append(t.rows, TracedRow{Join: "\n"})
	}
	t.rows[i] = row
}

// sourceMark adds the mark of an item, as it is written, to what the source has before the rows of a box.
func (r *renderer) sourceMark(b box, n *ast.List, it ast.Node, num int) box {
	lead := string(n.Marker) + " "
	if n.IsOrdered() {
		lead = strconv.Itoa(num) + lead
	}
	hang := strings.Repeat(" ", len(lead))
	if box := checkbox(it); box != nil {
		lead += map[bool]string{true: "[x] ", false: "[ ] "}[box.IsChecked]
	}
	return r.under(b, lead, hang)
}

// cellsOf is how many cells something that was drawn before a row takes.
func (r *renderer) cellsOf(drawn string) int { return Width(ansi.Strip(drawn), r.Method) }

// traceFlow notes the row of cut i of collected text, of which the line ends at end.
func (r *renderer) traceFlow(row int, b box, i, end int) {
	c := r.cuts[i]
	t := TracedRow{Skip: r.cellsOf(b.first), Lead: b.lead, Text: string(r.buf[c.from:c.to]), Join: "\n"}
	if i+1 < len(r.cuts) {
		t.Join = string(r.buf[c.to:r.cuts[i+1].from])
	}
	r.trace.set(row, t)
}

// traceCode notes the row of cut i of a line of code, which is in buf with its tabs spread out.
func (r *renderer) traceCode(row int, b box, line []byte, i int) {
	c := r.cuts[i]
	t := TracedRow{Skip: r.cellsOf(b.first), Lead: b.lead, Text: string(r.buf[c.from:c.to]), Join: "\n"}
	t.Column = textWidth(r.buf[:c.from], r.Method)
	if i+1 < len(r.cuts) {
		t.Join = ""
	}
	if bytes.IndexByte(line, '\t') >= 0 {
		from, spread := unspread(line, c.from, r.Method)
		to, _ := unspread(line, c.to, r.Method)
		t.Skip, t.Column = t.Skip+spread-c.from, t.Column+spread-c.from // the rest of a tab that was broken
		if i+1 == len(r.cuts) {
			to = len(line)
		}
		t.Text = string(line[from:to])
	}
	r.trace.set(row, t)
}

// unspread is where in a line the byte is that stands at off after expandTabs, or if that is within a tab the next, and
// where that one stands.
func unspread(line []byte, off int, m WidthMethod) (i, at int) {
	x := 0
	for i < len(line) {
		if at >= off {
			return i, at
		}
		if line[i] == '\t' {
			n := tabStop - x%tabStop
			at, x, i = at+n, x+n, i+1
			continue
		}
		n, w := unit(line[i:], m)
		at, x, i = at+n, x+w, i+n
	}
	return len(line), max(at, off)
}

// traceRow notes a row whose text is known.
func (r *renderer) traceRow(row int, b box, text string) {
	if r.trace != nil {
		r.trace.set(row, TracedRow{Skip: r.cellsOf(b.first), Lead: b.lead, Text: text, Join: "\n"})
	}
}

// traceGap notes a blank row inside a block.
func (r *renderer) traceGap(row int, b box) {
	if r.trace != nil {
		r.trace.set(row, TracedRow{Skip: r.cellsOf(b.pre), Lead: strings.TrimRight(b.hang, " "), Join: "\n"})
	}
}

// traceDrawn notes the row that was built, whose text is what it shows.
func (r *renderer) traceDrawn(row int, b box) {
	if r.trace != nil {
		drawn := bytes.TrimRight(r.line[len(b.first):], " ")
		r.traceRow(row, b, ansi.Strip(string(drawn)))
	}
}
