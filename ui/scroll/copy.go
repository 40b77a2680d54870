package scroll

import "strings"

// Text returns the selection as it was written, without gutters and wrapping. Blocks that are selected whole include
// their marks, except for the fences of a single code block; of others it returns the text. It lays out items that are
// not visible.
func (s *Selection) Text() string {
	from, to, first, last, ok := s.bounds()
	if !ok {
		return ""
	}
	s.list.items.cache.frame++
	var b strings.Builder
	for i := first; i <= last; i++ {
		t := s.list.items.trace(i, s.read)
		if len(t.Rows) == 0 {
			continue
		}
		c := copier{t: &t, words: s.unit == ByWord && s.from.key == s.head.from.key && s.from.row == s.head.from.row}
		c.from = spot{lead: true}
		c.to = spot{row: len(t.Rows) - 1, off: len(t.Rows[len(t.Rows)-1].Text)}
		if i == first {
			c.from = from
		}
		if i == last {
			c.to = to
		}
		c.to.row = min(c.to.row, len(t.Rows)-1)
		if b.Len() > 0 {
			b.WriteString(strings.Repeat("\n", 1+s.list.items.gap(i)))
		}
		c.write(&b, first == last)
		s.list.items.cache.trim()
	}
	return b.String()
}

// copier copies a part of an item.
type copier struct {
	t        *Trace
	from, to spot
	words    bool // single words are text, even if they are their whole block
}

func (c *copier) write(b *strings.Builder, alone bool) {
	if alone {
		if code, ok := c.insideCode(); ok {
			b.WriteString(code)
			return
		}
	}
	begin := c.from.lead
	for y := c.from.row; y <= c.to.row; {
		if n := c.whole(y); n > 0 {
			first := c.t.Rows[y].Block
			b.WriteString(c.t.Source[c.t.Blocks[first].From:c.t.Blocks[first+n-1].To])
			y = c.t.Blocks[first+n-1].Last
			if y <= c.to.row {
				b.WriteByte('\n')
			}
			begin = true
			continue
		}
		row := &c.t.Rows[y]
		if begin {
			b.WriteString(row.Lead)
		}
		from, to := 0, len(row.Text)
		if y == c.from.row {
			from = min(c.from.off, to)
		}
		if y == c.to.row {
			to = max(from, min(c.to.off, to))
		}
		b.WriteString(row.Text[from:to])
		if y < c.to.row {
			b.WriteString(row.Join)
		}
		begin = row.Join == "\n"
		y++
	}
}

// covers reports whether all rows of the block are selected.
func (c *copier) covers(b *Block) bool {
	if c.words || b.First < c.from.row || b.Last-1 > c.to.row {
		return false
	}
	if b.First == c.from.row && c.from.off > 0 {
		return false
	}
	return b.Last-1 < c.to.row || c.to.off >= len(c.t.Rows[b.Last-1].Text)
}

// whole returns how many blocks, the first of which begins in row y, are selected whole.
func (c *copier) whole(y int) (n int) {
	first := c.t.Rows[y].Block
	if first < 0 || first >= len(c.t.Blocks) || c.t.Blocks[first].First != y {
		return 0
	}
	for i := first; i < len(c.t.Blocks) && c.covers(&c.t.Blocks[i]); i++ {
		n++
	}
	return n
}

// insideCode returns the text of a code block if that is the whole selection.
func (c *copier) insideCode() (string, bool) {
	i := c.t.Rows[c.from.row].Block
	if i < 0 || i >= len(c.t.Blocks) || c.t.Rows[c.to.row].Block != i {
		return "", false
	}
	if b := &c.t.Blocks[i]; b.IsCode && c.covers(b) {
		return strings.TrimSuffix(b.Code, "\n"), true
	}
	return "", false
}
