package md

import (
	"slices"

	"parley/ui/md/cells"
	"parley/ui/md/highlight"
)

// Doc is one growing document and its rows. It has one owner and is not safe for concurrent use.
type Doc struct {
	r     *renderer
	clean cells.Cleaner
	src   []byte // visible text
	ended bool
	dirty bool

	from   int     // src[:from] is frozen
	frozen []*part // in order
	rows   []string
	open   []string // rows of what is not frozen
	follow follows
	defs   definitions
	fence  *fence // an open code block whose lines are frozen one by one
	at     int    // length of src at the last layout
	stats  Stats
	traced *docTrace // nil until Trace is called

	uncolored uncolored
}

// part is a frozen piece, with what is needed to lay it out again when a definition arrives that it refers to.
type part struct {
	start, end int
	follow     follows
	rows       []string
	row        int // its first one in Doc.rows
	apart      bool
	labels     []string        // normalised labels of what may be references
	code       fenced          // of a part that is a fence laid out line by line
	missing    []highlight.Key // code that lacks its colors
	colored    bool            // the rows of a fence show the colors from before it was closed
}

// Stats are counters since New, for tests.
type Stats struct {
	// Parsed is the number of bytes that went through the markdown parser or were cut into lines of an open fence.
	Parsed int
	// Blocks is the number of blocks laid out, nested ones included; each line of an open fence counts as one.
	Blocks int
	// Layouts is the number of times that rows were updated.
	Layouts int
	// Traced is the number of bytes read for traces.
	Traced int
	// Frozen is the number of pieces frozen now.
	Frozen int
	// Open is the number of bytes not frozen now.
	Open int
}

// New returns an empty document.
func New(o Options) *Doc {
	d := &Doc{r: newRenderer(o)}
	d.r.colors.blocks = map[int]*highlight.OpenBlock{}
	return d
}

// Append adds bytes of the stream, which may be cut anywhere. It does no layout. After End it does nothing.
func (d *Doc) Append(s string) {
	if d.ended || s == "" {
		return
	}
	d.src = d.clean.Add(d.src, s)
	d.dirty = true
}

// End marks the stream as complete.
func (d *Doc) End() {
	if d.ended {
		return
	}
	d.src = d.clean.End(d.src)
	d.ended, d.dirty = true, true
}

// SetOptions sets the options. Unless they are equal, the document is laid out again when its rows are next read.
func (d *Doc) SetOptions(o Options) {
	if o.normal() == d.r.Options {
		return
	}
	laid, blocks := d.r.laid, d.r.colors.blocks
	d.r = newRenderer(o)
	d.r.laid, d.r.colors.blocks = laid, blocks
	d.from, d.frozen, d.rows, d.open, d.follow = 0, nil, nil, nil, follows{}
	d.defs, d.fence, d.at, d.traced = definitions{}, nil, 0, nil
	d.uncolored = uncolored{}
	d.dirty = true
}

// Len returns the number of rows.
func (d *Doc) Len() int {
	d.layout()
	return len(d.rows) + len(d.open)
}

// Line returns row i of Len.
func (d *Doc) Line(i int) string {
	d.layout()
	if i < len(d.rows) {
		return d.rows[i]
	}
	return d.open[i-len(d.rows)]
}

// Stable returns how many of the first rows can change only by SetOptions or a late link definition: their code has its final
// colors.
func (d *Doc) Stable() int {
	d.layout()
	n := len(d.rows)
	if len(d.uncolored.parts) > 0 {
		n = min(n, d.uncolored.parts[0].row)
	}
	if d.fence != nil && d.fence.block != nil && len(d.fence.part.rows) > 0 {
		n = min(n, d.fence.part.row)
	}
	return n
}

// Stats returns the counters.
func (d *Doc) Stats() Stats {
	s := d.stats
	s.Blocks, s.Frozen, s.Open = d.r.laid, len(d.frozen), len(d.src)-d.from
	return s
}

// largeOpen is the size from which an open block is laid out for larger portions only.
const largeOpen = 64 << 10

// layout updates the rows.
func (d *Doc) layout() {
	if d.dirty && !d.waits() {
		d.dirty, d.at = false, len(d.src)
		d.stats.Layouts++
		for (d.fence == nil || d.layoutFence()) && !d.layoutTail() {
		}
	} else if d.r.Highlighter == nil || d.uncolored.epoch == d.r.Highlighter.Epoch() {
		return
	}
	d.recolor()
}

// waits reports whether the open block is large and has not grown enough for a layout.
func (d *Doc) waits() bool {
	open := d.at - d.from
	return !d.ended && d.fence == nil && d.at > 0 && open > largeOpen && len(d.src)-d.at < open/32
}

// layoutTail parses the open rest, freezes what is closed and lays out what remains. It returns false if that is a code
// fence for layoutFence.
func (d *Doc) layoutTail() bool {
	base := d.from
	tail := d.src[base:]
	d.open = d.open[:0]
	d.r.colors.open = nil
	d.r.colors.begin(base, false)
	d.stats.Parsed += len(tail)
	doc, sc := parse(tail, d.defs.frozen)
	ps := pieces(nil, doc, tail, d.follow)
	done := closed(ps, tail)
	if done > 0 {
		d.freeze(ps, done, tail)
	}
	if changed := d.defs.update(sc.own); len(changed) > 0 {
		d.repair(changed)
	}
	if done < len(ps) {
		if f := newFence(d, ps[done:], base); f != nil {
			d.fence, d.uncolored.missing = f, nil
			return false
		}
	}
	d.r.colors.begin(base, d.ended)
	for _, p := range ps[done:] {
		rows := d.r.piece(nil, p, tail)
		if len(rows) > 0 && len(d.rows)+len(d.open) > 0 && p.apart() {
			d.open = append(d.open, "")
		}
		d.open = append(d.open, rows...)
	}
	d.uncolored.missing = append(d.uncolored.missing[:0], d.r.colors.missing...)
	if d.r.colors.open != nil {
		d.uncolored.drawn = d.r.colors.open.Changes()
	}
	return true
}

// freeze lays out the first n pieces of a tail for good. Pieces that cannot be parsed alone become one part.
func (d *Doc) freeze(ps []piece, n int, tail []byte) {
	d.r.colors.ended = true
	for i := 0; i < n; {
		d.r.colors.missing = d.r.colors.missing[:0]
		p := &part{start: d.from, end: d.from + ps[n].start, follow: followed(ps[i]), apart: ps[i].apart()}
		if i > 0 {
			p.start += ps[i].start
		}
		for begin := i; i < n && (i == begin || !apartAt(ps, i, tail)); i++ {
			d.defs.freeze(ps[i].node)
			p.rows = join(p.rows, d.r.piece(nil, ps[i], tail), ps[i].apart())
		}
		if i < n {
			p.end = d.from + ps[i].start
		}
		p.labels = labels(d.src[p.start:p.end])
		d.frozen = append(d.frozen, p)
		d.rows = join(d.rows, p.rows, p.apart)
		p.row = len(d.rows) - len(p.rows)
		if len(d.r.colors.missing) > 0 {
			p.missing = slices.Clone(d.r.colors.missing)
			d.uncolored.parts = append(d.uncolored.parts, p)
		}
	}
	d.from += ps[n].start
	d.follow = followed(ps[n])
}

// followed returns how the source from p on continues what precedes it.
func followed(p piece) follows {
	if p.inner {
		return follows{list: true, num: p.num, blank: p.blank}
	}
	return follows{}
}

// repair lays out again the frozen parts that use one of the labels.
func (d *Doc) repair(changed map[string]bool) {
	all := d.defs.all()
	repaired := false
	for _, p := range d.frozen {
		if p.end <= p.start || !p.uses(changed) {
			continue
		}
		src := d.src[p.start:p.end]
		d.stats.Parsed += len(src)
		doc, _ := parse(src, all)
		missed := len(p.missing) > 0
		p.rows = d.partRows(p, pieces(nil, doc, src, p.follow), src)
		if len(p.missing) > 0 && !missed {
			d.uncolored.parts = append(d.uncolored.parts, p) // its colors were dropped
			slices.SortFunc(d.uncolored.parts, func(a, b *part) int { return a.start - b.start })
		}
		repaired = true
	}
	if !repaired {
		return
	}
	d.traced = nil
	d.rows = d.rows[:0:0]
	for _, p := range d.frozen {
		d.rows = join(d.rows, p.rows, p.apart)
		p.row = len(d.rows) - len(p.rows)
	}
}

// partRows lays out the pieces of a frozen part, and records which code lacks its colors.
func (d *Doc) partRows(p *part, ps []piece, src []byte) (rows []string) {
	d.r.colors.begin(p.start, true)
	for _, q := range ps {
		rows = join(rows, d.r.piece(nil, q, src), q.apart())
	}
	p.missing = slices.Clone(d.r.colors.missing)
	return rows
}
