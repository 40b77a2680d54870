package md

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
)

// fence is a top-level code block that has not been closed. Its lines are final as they are completed, so they are
// laid out once, without the parser.
type fence struct {
	char   byte
	length int
	next   int // offset in Doc.src of the first line not laid out for good
	scan   scanner
	part   *part
}

// newFence returns the fence that the open pieces, parsed at offset base, consist of, or nil. It must not be indented, since then its lines
// would have to be unindented, and its first line must be complete.
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
	f := &fence{char: line[0], scan: newScanner(string(n.Language(tail)))}
	for f.length < end && line[f.length] == f.char {
		f.length++
	}
	start := base + open[0].start
	f.next = start + end + 1
	f.part = &part{start: start, end: start, apart: true} // holds no reference: never laid out again
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
			if len(rest) > 0 && !f.closes(rest) {
				scan := f.scan
				rows := d.r.codeLine(nil, &scan, rest, b)
				if len(f.part.rows) == 0 && len(d.rows) > 0 {
					d.open = append(d.open, "")
				}
				d.open = append(d.open, rows...)
				d.r.laid++
			}
			return false
		}
		d.stats.Parsed += end + 1
		f.next += end + 1
		if f.closes(rest[:end]) {
			d.from, d.follow, d.fence = f.next, follows{}, nil
			return true
		}
		rows := d.r.codeLine(nil, &f.scan, rest[:end], b)
		d.r.laid++
		d.rows = join(d.rows, rows, len(f.part.rows) == 0)
		f.part.rows = append(f.part.rows, rows...)
	}
}
