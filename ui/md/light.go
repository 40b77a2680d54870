package md

import "parley/ui/md/highlight"

// This file draws code in its colors once they are known. It replaces rows and never adds or removes one.

// light brings the colors of the rows up to date, and requests those of the lines that were finished since.
func (d *Doc) light() {
	h := d.r.Highlighter
	if h == nil {
		return
	}
	d.epoch = h.Epoch()
	left := d.unlit[:0]
	for _, p := range d.unlit {
		if d.lightPart(h, p); len(p.missing) > 0 {
			left = append(left, p)
		}
	}
	clear(d.unlit[len(left):])
	d.unlit = left
	switch g := d.r.colors.open; {
	case d.fence != nil:
		d.lightFence()
		if d.fence.grows != nil {
			h.Grow(d.fence.grows)
		}
	case g != nil && g.Changes() != d.openAt || h.Settles(d.missing):
		d.layoutTail()
		fallthrough
	default:
		if d.r.colors.open != nil {
			h.Grow(d.r.colors.open)
		}
	}
}

// lightPart lays a frozen part out again if colors that it misses are known.
func (d *Doc) lightPart(h *highlight.Highlighter, p *part) {
	if !h.Settles(p.missing) {
		return
	}
	if p.code.to > 0 {
		p.lit = false
		d.lightFenced(p)
		return
	}
	src := d.src[p.start:p.end]
	d.stats.Parsed += len(src)
	doc, _ := parse(src, d.references(d.own))
	d.replace(p, d.partRows(p, pieces(nil, doc, src, p.follow), src))
}

// replace puts the rows of a frozen part into the place of those it had.
func (d *Doc) replace(p *part, rows []string) {
	if len(rows) != len(p.rows) {
		return // cannot be: colors change no row
	}
	copy(d.rows[p.row:], rows)
	p.rows = rows
}

// Settled reports whether all code has the colors that it will keep.
func (d *Doc) Settled() bool {
	d.layout()
	return len(d.unlit) == 0 && len(d.missing) == 0 && (d.r.Highlighter == nil || d.fence == nil && d.r.colors.open == nil)
}
