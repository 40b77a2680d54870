package md

import "parley/ui/md/highlight"

// uncolored is the code of a document that lacks its final colors.
type uncolored struct {
	parts   []*part         // frozen, in order
	missing []highlight.Key // in the open rest
	drawn   int             // changes of the open block that the rows show
	epoch   uint64          // of the highlighter when it was last read
}

// recolor updates the colors of rows, and requests those of new lines. It never adds or removes a row.
func (d *Doc) recolor() {
	h := d.r.Highlighter
	if h == nil {
		return
	}
	d.uncolored.epoch = h.Epoch()
	left := d.uncolored.parts[:0]
	for _, p := range d.uncolored.parts {
		if d.colorPart(h, p); len(p.missing) > 0 {
			left = append(left, p)
		}
	}
	clear(d.uncolored.parts[len(left):])
	d.uncolored.parts = left
	switch g := d.r.colors.open; {
	case d.fence != nil:
		d.colorFence()
		if d.fence.block != nil {
			h.RequestWindow(d.fence.block)
		}
	case g != nil && g.Changes() != d.uncolored.drawn || h.Settles(d.uncolored.missing):
		d.layoutTail()
		fallthrough
	default:
		if d.r.colors.open != nil {
			h.RequestWindow(d.r.colors.open)
		}
	}
}

// colorPart lays a frozen part out again if its missing colors are known.
func (d *Doc) colorPart(h *highlight.Highlighter, p *part) {
	if !h.Settles(p.missing) {
		return
	}
	if p.code.to > 0 {
		p.colored = false
		d.colorFenced(p)
		return
	}
	src := d.src[p.start:p.end]
	d.stats.Parsed += len(src)
	doc, _ := parse(src, d.defs.all())
	d.replace(p, d.partRows(p, pieces(nil, doc, src, p.follow), src))
}

// replace replaces the rows of a frozen part.
func (d *Doc) replace(p *part, rows []string) {
	if len(rows) != len(p.rows) {
		return // never: colors do not change the number of rows
	}
	copy(d.rows[p.row:], rows)
	p.rows = rows
}

// Settled reports whether all code has its final colors.
func (d *Doc) Settled() bool {
	d.layout()
	return len(d.uncolored.parts) == 0 && len(d.uncolored.missing) == 0 && (d.r.Highlighter == nil || d.fence == nil && d.r.colors.open == nil)
}
