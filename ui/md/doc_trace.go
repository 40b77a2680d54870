package md

import (
	"bytes"
	"strings"
)

// docTrace is the trace of a growing document. Frozen parts are traced once, the open rest each time, and an open code block
// line by line.
type docTrace struct {
	r      *renderer
	rows   []TracedRow
	blocks []TracedBlock
	open   bool // the end of the last block is not known yet
	parts  int  // frozen parts traced

	fence  *fence    // an open code block with traced lines
	before traceMark // the state before it
	code   int       // offset of its first line in the source
	next   int       // offset of its first line not traced
	kept   traceMark // the state that the next trace continues
}

// traceMark is a state of a docTrace to return to.
type traceMark struct {
	rows, blocks int
	last         TracedBlock // which may have grown since
	open         bool
}

// position returns the current state.
func (t *docTrace) position() traceMark {
	m := traceMark{rows: len(t.rows), blocks: len(t.blocks), open: t.open}
	if m.blocks > 0 {
		m.last = t.blocks[m.blocks-1]
	}
	return m
}

// reset returns to an earlier state.
func (t *docTrace) reset(m traceMark) {
	t.rows, t.blocks, t.open = t.rows[:m.rows], t.blocks[:m.blocks], m.open
	if m.blocks > 0 {
		t.blocks[m.blocks-1] = m.last
	}
}

// Trace returns the source of each row. It costs as much as the text that was appended since the last call and the open rest.
// The rows and blocks are valid until the next call. While an open block is larger than 64 KiB there may be more rows than
// the document has.
func (d *Doc) Trace() Traced {
	d.layout()
	if d.traced == nil {
		d.traced = &docTrace{r: newTracer(d.r.Options)}
	}
	t := d.traced
	kept := t.kept.rows
	t.reset(t.kept)
	settled := len(d.frozen)
	if d.fence != nil {
		settled--
	}
	if t.fence != nil && t.fence != d.fence { // it is closed, and traced like any other part
		t.reset(t.before)
		kept, t.fence = len(t.rows), nil
	}
	t.addParts(d, settled)
	if d.fence != nil {
		t.addFence(d)
	}
	t.kept = t.position()
	if d.fence == nil {
		t.addRange(d, d.from, len(d.src), d.follow, d.defs.frozen)
	} else {
		t.addOpenLine(d)
	}
	out := Traced{Rows: t.rows, Blocks: t.blocks, Source: string(d.src), Kept: kept}
	if t.open {
		t.endBlock(d.src, len(d.src))
	}
	return out
}

// addParts traces the frozen parts that are not traced yet, up to one.
func (t *docTrace) addParts(d *Doc, settled int) {
	if t.parts >= settled {
		return
	}
	all := d.defs.all()
	for ; t.parts < settled; t.parts++ {
		end := d.from
		if t.parts+1 < len(d.frozen) {
			end = d.frozen[t.parts+1].start
		}
		t.addRange(d, d.frozen[t.parts].start, end, d.frozen[t.parts].follow, all)
	}
}

// addRange traces a range of the source that can be parsed alone.
func (t *docTrace) addRange(d *Doc, from, to int, f follows, refs references) {
	src := d.src[from:to]
	d.stats.Traced += len(src)
	doc, _ := parse(src, refs)
	for _, p := range pieces(nil, doc, src, f) {
		t.r.trace.rows = t.r.trace.rows[:0]
		rows := t.r.piece(nil, p, src)
		start := p.start
		if start >= 0 {
			start += from
		}
		if n := len(t.blocks); n > 0 && t.open && start > t.blocks[n-1].From {
			t.endBlock(d.src, start)
			t.open = false
		}
		if len(rows) == 0 {
			continue
		}
		if len(t.rows) > 0 && p.apart() {
			t.rows = append(t.rows, TracedRow{Join: "\n", Block: -1})
		}
		n := len(t.blocks)
		if n == 0 || start > t.blocks[n-1].From {
			b := TracedBlock{First: len(t.rows), From: max(start, 0)}
			b.IsCode, b.Code, b.Lang = codeOf(p.node, src)
			t.blocks, t.open = append(t.blocks, b), true
		} else {
			t.blocks[n-1].IsCode = false // a piece whose place is unknown belongs to the block before
		}
		t.addRows(t.r.trace.rows[:len(rows)])
		t.rows[len(t.rows)-1].Join = "\n"
	}
}

// addRows adds rows to the last block.
func (t *docTrace) addRows(rows []TracedRow) {
	b := len(t.blocks) - 1
	for _, row := range rows {
		row.Block = b
		t.rows = append(t.rows, row)
	}
	t.blocks[b].Last = len(t.rows)
}

// endBlock sets the end of the last block in the source, without the line feeds behind it.
func (t *docTrace) endBlock(src []byte, to int) {
	b := &t.blocks[len(t.blocks)-1]
	b.To = b.From + len(bytes.TrimRight(src[b.From:max(b.From, to)], " \t\n"))
}

// addFence traces the complete lines of the open code block.
func (t *docTrace) addFence(d *Doc) {
	f := d.fence
	if t.fence == nil {
		t.before, t.fence = t.position(), f
		if t.open {
			t.endBlock(d.src, f.part.start)
			t.open = false
		}
		t.code = f.part.start + bytes.IndexByte(d.src[f.part.start:], '\n') + 1
		t.next = t.code
	}
	for t.next < f.next {
		end := t.next + bytes.IndexByte(d.src[t.next:], '\n')
		t.addLine(d, d.src[t.next:end])
		t.next = end + 1
	}
	t.setCode(d, t.next, "")
}

// addOpenLine traces the incomplete line of the open code block.
func (t *docTrace) addOpenLine(d *Doc) {
	line := d.src[d.fence.next:]
	if len(line) == 0 || d.fence.closes(line) {
		return
	}
	t.addLine(d, line)
	t.setCode(d, len(d.src), "\n")
}

// addLine traces a line of the open code block; the first line creates the block.
func (t *docTrace) addLine(d *Doc, line []byte) {
	d.stats.Traced += len(line)
	start := d.fence.part.start
	if n := len(t.blocks); n == 0 || t.blocks[n-1].From != start {
		if len(t.rows) > 0 {
			t.rows = append(t.rows, TracedRow{Join: "\n", Block: -1})
		}
		info := strings.TrimLeft(string(d.src[start:max(start, t.code-1)]), "`~ \t")
		lang, _, _ := strings.Cut(info, " ")
		t.blocks, t.open = append(t.blocks, TracedBlock{First: len(t.rows), From: start, IsCode: true, Lang: lang}), true
	}
	t.r.trace.rows = t.r.trace.rows[:0]
	b := t.r.codeBox(t.r.outer(), "")
	b.words = d.fence.box.words
	rows := t.r.codeLine(nil, nil, line, b)
	t.addRows(t.r.trace.rows[:len(rows)])
	t.rows[len(t.rows)-1].Join = "\n"
}

// setCode sets the code of the open block: its source up to an offset, and a line feed.
func (t *docTrace) setCode(d *Doc, to int, feed string) {
	if n := len(t.blocks); n > 0 && t.blocks[n-1].From == d.fence.part.start && len(t.rows) > t.before.rows {
		t.blocks[n-1].Code = string(d.src[t.code:to]) + feed
	}
}
