package md

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"parley/ui/md/highlight"
)

// fence is a top-level code block that has not been closed. Its lines are final as they are completed, so they are
// laid out once, without the parser; their colors follow.
type fence struct {
	char   byte
	length int
	next   int // offset in Doc.src of the first line not laid out for good
	code   int // offset of the first line
	lang   string
	part   *part
	grows  *highlight.Growth // nil if it gets no colors
	rows   []int             // the row of the part at which each line begins
	drawn  int               // lines drawn in their colors
}

// fenced is where the code of a fenced part stands in Doc.src, so that it can be laid out again without the parser.
type fenced struct {
	from, to int
	lang     string
}

// newFence returns the fence that the open pieces, parsed at offset base, consist of, or nil. It must not be indented, since
// then its lines would have to be unindented, and its first line must be complete.
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
	if d.r.Highlighter != nil && f.lang != "" {
		f.grows = d.r.colors.growth(f.code, f.lang)
	}
	f.part = &part{start: start, end: start, apart: true} // holds no reference: never laid out again for one
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

// layoutFence lays out the lines that came since and returns whether the block is closed for good.
func (d *Doc) layoutFence() bool {
	f, b := d.fence, d.r.codeBox(d.r.outer())
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
		if f.grows != nil {
			f.grows.Finish(len(f.rows), rest[:end+1])
		}
		d.fenceLine(rest[:end], b)
		f.next += end + 1
	}
}

// fenceLine lays out a finished line of the open fence: plain, unless it got its colors at another width.
func (d *Doc) fenceLine(line []byte, b box) {
	f := d.fence
	var toks []highlight.Token
	if n := len(f.rows); f.grows != nil && n < f.grows.Colored() {
		toks = f.grows.LineTokens(n)
		f.drawn = n + 1
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

// closeFence ends the open fence, whose code ends at an offset and its last line at another.
func (d *Doc) closeFence(code, end int) {
	f := d.fence
	d.from, d.follow, d.fence = end, follows{}, nil
	f.part.code = fenced{f.code, code, f.lang}
	if f.grows != nil && len(f.part.rows) > 0 {
		d.unlit = append(d.unlit, f.part)
		d.lightFenced(f.part)
	}
}

// lightFence draws lines of the open fence that got their colors.
func (d *Doc) lightFence() {
	f := d.fence
	if f.grows == nil || f.drawn >= min(f.grows.Colored(), len(f.rows)) {
		return
	}
	b := d.r.codeBox(d.r.outer())
	for ; f.drawn < min(f.grows.Colored(), len(f.rows)); f.drawn++ {
		rows := d.r.codeLine(nil, f.grows.LineTokens(f.drawn), f.grows.Line(f.drawn), b)
		at := f.rows[f.drawn]
		copy(f.part.rows[at:], rows)
		copy(d.rows[f.part.row+at:], rows)
	}
}

// lightFenced lays a fenced part out again in the colors that are known, and notes what is missing.
func (d *Doc) lightFenced(p *part) {
	code := d.src[p.code.from:p.code.to]
	d.r.colors.missing = d.r.colors.missing[:0]
	h := highlight.Lines{Tokens: d.r.colors.wholeTokens(p.code.from, p.code.lang, code)}
	p.missing = append(p.missing[:0], d.r.colors.missing...)
	if len(p.missing) > 0 && p.lit {
		return // nothing new
	}
	p.lit = true
	b := d.r.codeBox(d.r.outer())
	rows := p.rows[:0:0]
	for line := range bytes.Lines(code) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		rows = d.r.codeLine(rows, h.Next(len(line)), line, b)
	}
	d.replace(p, rows)
}
