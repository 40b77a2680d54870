package md

import (
	"bytes"
	"maps"
	"strings"
)

// telling is what the rows of a growing document stand for, as far as that was told. What is frozen is told once; what is
// open is told anew each time, and an open code block line by line.
type telling struct {
	r      *renderer
	rows   []TracedRow
	blocks []TracedBlock
	open   bool // it is not known yet where the last block ends
	parts  int  // frozen ones that were told

	fence  *fence   // an open code block of which lines were told
	before toldMark // what was told before it
	code   int      // where in the source its first line begins
	next   int      // and the first one that was not told
	scan   scanner
	mark   toldMark // what was told for good
}

// toldMark is a state to go back to.
type toldMark struct {
	rows, blocks int
	last         TracedBlock // which may have been added to since
	open         bool
}

func (t *telling) now() toldMark {
	m := toldMark{rows: len(t.rows), blocks: len(t.blocks), open: t.open}
	if m.blocks > 0 {
		m.last = t.blocks[m.blocks-1]
	}
	return m
}

func (t *telling) back(m toldMark) {
	t.rows, t.blocks, t.open = t.rows[:m.rows], t.blocks[:m.blocks], m.open
	if m.blocks > 0 {
		t.blocks[m.blocks-1] = m.last
	}
}

// Trace says what the rows of the document stand for. It costs as much as what came since it was called last, and what is
// open; the rows and blocks are the document's own and change with the next call. While a single open block is larger than
// 64 KiB there may be more rows than the document shows yet.
func (d *Doc) Trace() Traced {
	d.layout()
	if d.told == nil {
		d.told = &telling{r: newRenderer(d.r.Options)}
		d.told.r.trace = &tracer{}
	}
	t := d.told
	kept := t.mark.rows
	t.back(t.mark)
	settled := len(d.frozen)
	if d.fence != nil {
		settled--
	}
	if t.fence != nil && t.fence != d.fence { // it was closed, and is told as any other part
		t.back(t.before)
		kept, t.fence = len(t.rows), nil
	}
	t.tellParts(d, settled)
	if d.fence != nil {
		t.tellFence(d)
	}
	t.mark = t.now()
	if d.fence == nil {
		t.tell(d, d.from, len(d.src), d.follow, d.refs)
	} else {
		t.tellOpenLine(d)
	}
	out := Traced{Rows: t.rows, Blocks: t.blocks, Source: string(d.src), Kept: kept}
	if t.open {
		t.end(d.src, len(d.src))
	}
	return out
}

// tellParts tells the frozen parts up to one that were not told yet.
func (t *telling) tellParts(d *Doc, settled int) {
	if t.parts >= settled {
		return
	}
	all := references{}
	maps.Copy(all, d.own)
	maps.Copy(all, d.refs)
	for ; t.parts < settled; t.parts++ {
		end := d.from
		if t.parts+1 < len(d.frozen) {
			end = d.frozen[t.parts+1].start
		}
		t.tell(d, d.frozen[t.parts].start, end, d.frozen[t.parts].follow, all)
	}
}

// tell tells a stretch of the source that parses alone as it does in its place.
func (t *telling) tell(d *Doc, from, to int, f follows, refs references) {
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
			t.end(d.src, start)
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
		t.add(t.r.trace.rows[:len(rows)])
		t.rows[len(t.rows)-1].Join = "\n"
	}
}

// add adds rows to the last block.
func (t *telling) add(rows []TracedRow) {
	b := len(t.blocks) - 1
	for _, row := range rows {
		row.Block = b
		t.rows = append(t.rows, row)
	}
	t.blocks[b].Last = len(t.rows)
}

// end says where in the source the last block ends, or ends as far as it is known: without the line feeds behind it.
func (t *telling) end(src []byte, to int) {
	b := &t.blocks[len(t.blocks)-1]
	b.To = b.From + len(bytes.TrimRight(src[b.From:max(b.From, to)], " \t\n"))
}

// tellFence tells the complete lines of the open code block.
func (t *telling) tellFence(d *Doc) {
	f := d.fence
	if t.fence == nil {
		t.before, t.fence = t.now(), f
		if t.open {
			t.end(d.src, f.part.start)
			t.open = false
		}
		t.code = f.part.start + bytes.IndexByte(d.src[f.part.start:], '\n') + 1
		t.next, t.scan = t.code, newScanner("") // colours tell nothing
	}
	for t.next < f.next {
		end := t.next + bytes.IndexByte(d.src[t.next:], '\n')
		t.tellLine(d, d.src[t.next:end])
		t.next = end + 1
	}
	t.tellCode(d, t.next, "")
}

// tellOpenLine tells the line of the open code block that is not complete.
func (t *telling) tellOpenLine(d *Doc) {
	line := d.src[d.fence.next:]
	if len(line) == 0 || d.fence.closes(line) {
		return
	}
	t.tellLine(d, line)
	t.tellCode(d, len(d.src), "\n")
}

// tellLine tells a line of the open code block, of which the first makes the block.
func (t *telling) tellLine(d *Doc, line []byte) {
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
	rows := t.r.codeLine(nil, &t.scan, line, t.r.codeBox(t.r.outer()))
	t.add(t.r.trace.rows[:len(rows)])
	t.rows[len(t.rows)-1].Join = "\n"
}

// tellCode says what the open code block holds up to a place, with a line feed to come.
func (t *telling) tellCode(d *Doc, to int, feed string) {
	if n := len(t.blocks); n > 0 && t.blocks[n-1].From == d.fence.part.start && len(t.rows) > t.before.rows {
		t.blocks[n-1].Code = string(d.src[t.code:to]) + feed
	}
}
