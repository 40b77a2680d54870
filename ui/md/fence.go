package md

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"parley/ui/md/highlight"
)

// fence is an open top-level code block. Its complete lines are final: they are laid out once, without the parser, and colored
// later.
type fence struct {
	char   byte
	length int
	next   int // offset in Doc.src of the first line that is not complete
	code   int // offset of the first line
	lang   string
	box    box // of its lines
	part   *part
	block  *highlight.OpenBlock // nil without colors
	rows   []int                // the row of the part at which each line begins
	drawn  int                  // lines drawn in their colors
}

// fenced is the place of a fenced part's code in Doc.src, so that it can be laid out again without the parser.
type fenced struct {
	from, to int
	lang     string
}

// newFence returns the fence of the open pieces, parsed at offset base, or nil if they are not just that. It must not be
// indented, and its first line must be complete.
func newFence(d *Doc, open []piece, base int) *fence {
	tail := d.src[base:]
	if len(open) != 1 {
		return nil
	}
	n, ok := open[0].node.(*ast.FencedCodeBlock)
	if !ok {
		return nil
	}
	line := tail[open[0].start:]
	end := bytes.IndexByte(line, '\n')
	if end < 0 || line[0] != '`' && line[0] != '~' {
		return nil
	}
	f := &fence{char: line[0], lang: string(n.Language(tail))}
	for f.length < end && line[f.length] == f.char {
		f.length++
	}
	start := base + open[0].start
	f.next = start + end + 1
	f.code = f.next
	f.box = d.r.codeBox(d.r.outer(), f.lang)
	if d.r.Highlighter != nil && f.lang != "" {
		f.block = d.r.colors.openBlock(f.code, f.lang)
	}
	f.part = &part{start: start, end: start, apart: true} // without references
	d.frozen = append(d.frozen, f.part)
	d.r.laid++
	return f
}

// closes reports whether a line, without its newline, ends the block.
func (f *fence) closes(line []byte) bool {
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	rest := bytes.TrimLeft(line[indent:], string(f.char))
	return indent < 4 && len(line)-indent-len(rest) >= f.length && len(bytes.TrimLeft(rest, " \t\v\f\r")) == 0
}

// layoutFence lays out new lines and reports whether the block is closed.
func (d *Doc) layoutFence() bool {
	f, b := d.fence, d.fence.box
	d.open = d.open[:0]
	for {
		rest := d.src[f.next:]
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			d.stats.Parsed += len(rest)
			open := len(rest) > 0 && !f.closes(rest)
			if d.ended {
				if open {
					d.fenceLine(rest, b)
					f.next = len(d.src)
				}
				d.closeFence(f.next, len(d.src))
				return true
			}
			if open {
				if len(f.rows) > 0 {
					b.next()
				}
				rows := d.r.codeLine(nil, nil, rest, b)
				if len(f.part.rows) == 0 && len(d.rows) > 0 {
					d.open = append(d.open, "")
				}
				d.open = append(d.open, rows...)
				d.r.laid++
			}
			return false
		}
		d.stats.Parsed += end + 1
		if f.closes(rest[:end]) {
			d.closeFence(f.next, f.next+end+1)
			return true
		}
		if f.block != nil {
			f.block.Finish(len(f.rows), rest[:end+1])
		}
		d.fenceLine(rest[:end], b)
		f.next += end + 1
	}
}

// fenceLine lays out a complete line of the open fence: plain, unless it has its colors from another width.
func (d *Doc) fenceLine(line []byte, b box) {
	f := d.fence
	var toks []highlight.Token
	if n := len(f.rows); f.block != nil && n < f.block.Colored() {
		toks = f.block.LineTokens(n)
		f.drawn = n + 1
	}
	if len(f.rows) > 0 {
		b.next()
	}
	rows := d.r.codeLine(nil, toks, line, b)
	d.r.laid++
	d.rows = join(d.rows, rows, len(f.part.rows) == 0)
	f.rows = append(f.rows, len(f.part.rows))
	if len(f.part.rows) == 0 {
		f.part.row = len(d.rows) - len(rows)
	}
	f.part.rows = append(f.part.rows, rows...)
}

// closeFence closes the open fence: its code ends at an offset, and its last line at another.
func (d *Doc) closeFence(code, end int) {
	f := d.fence
	d.from, d.follow, d.fence = end, follows{}, nil
	f.part.code = fenced{f.code, code, f.lang}
	if f.block != nil && len(f.part.rows) > 0 {
		d.uncolored.parts = append(d.uncolored.parts, f.part)
		d.colorFenced(f.part)
	}
}

// colorFence colors lines of the open fence.
func (d *Doc) colorFence() {
	f := d.fence
	if f.block == nil || f.drawn >= min(f.block.Colored(), len(f.rows)) {
		return
	}
	b := f.box
	for ; f.drawn < min(f.block.Colored(), len(f.rows)); f.drawn++ {
		if f.drawn > 0 {
			b.next()
		}
		rows := d.r.codeLine(nil, f.block.LineTokens(f.drawn), f.block.Line(f.drawn), b)
		at := f.rows[f.drawn]
		copy(f.part.rows[at:], rows)
		copy(d.rows[f.part.row+at:], rows)
	}
}

// colorFenced lays a fenced part out in the known colors, and records what is missing.
func (d *Doc) colorFenced(p *part) {
	code := d.src[p.code.from:p.code.to]
	d.r.colors.missing = d.r.colors.missing[:0]
	h := highlight.Lines{Tokens: d.r.colors.wholeTokens(p.code.from, p.code.lang, code)}
	p.missing = append(p.missing[:0], d.r.colors.missing...)
	if len(p.missing) > 0 && p.colored {
		return // unchanged
	}
	p.colored = true
	b := d.r.codeBox(d.r.outer(), p.code.lang)
	rows := p.rows[:0:0]
	for line := range bytes.Lines(code) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		rows = d.r.codeLine(rows, h.Next(len(line)), line, b)
		b.next()
	}
	d.replace(p, rows)
}
