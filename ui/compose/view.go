package compose

import "strings"

// View is what the composer shows.
type View struct {
	// Rows are the rows from the top, at least one. They must not be changed.
	Rows []string
	// X and Y are the cell of the cursor.
	X, Y int
	// Above and Below report whether there are rows that do not fit.
	Above, Below bool
}

// View returns what is to be shown. As long as nothing changes it returns the same view, at no cost.
func (c *Composer) View() View {
	if c.fresh {
		return c.shown
	}
	c.frame()
	v := View{}
	cursor := c.row()
	r, ok := c.doc.top, true
	_, v.Above = c.above(r)
	for ; ok && len(v.Rows) < c.height; r, ok = c.below(r) {
		if r == cursor {
			v.X, v.Y = min(c.column(r), c.width-1), len(v.Rows)
		}
		v.Rows = append(v.Rows, c.paint(r))
	}
	v.Below = ok
	if c.Empty() && c.looks.Hint != "" {
		v.Rows[0] = c.hint()
	}
	c.shown, c.fresh = v, true
	return v
}

// frame moves the first visible row as little as possible so that the cursor is visible, and no row stays empty while
// there are some above.
func (c *Composer) frame() {
	d := c.doc
	d.top.line = min(d.top.line, len(d.lines)-1)
	d.top.row = min(d.top.row, len(c.rows(d.top.line))-1)
	cursor := c.row()
	if cursor.less(d.top) {
		d.top = cursor
	}
	// The highest row from which the cursor still fits.
	high, ok := cursor, true
	for n := 1; n < c.height && ok; n++ {
		high, ok = c.above(high)
	}
	if d.top.less(high) {
		d.top = high
	}
	room := c.height
	for r, ok := d.top, true; ok && room > 0; room-- {
		r, ok = c.below(r)
	}
	for ok := true; ok && room > 0; room-- {
		d.top, ok = c.above(d.top)
	}
}

// paint returns a row as it is shown.
func (c *Composer) paint(r rowPos) string {
	from, to := c.span(r)
	text := c.doc.lines[r.line].text[from:to]
	if isPlain(text) && c.marked == nil {
		return text
	}
	var b strings.Builder
	for text != "" {
		n := next(text)
		cluster := text[:n]
		v, _ := c.show(cluster)
		if c.marked.has(pos{r.line, to - len(text)}) {
			b.WriteString(dress(c.looks.Selected, v))
			text = text[n:]
			continue
		}
		switch {
		case cluster[0] == chipMark:
			v = dress(c.looks.Chip, v)
		case v != cluster && cluster != "\t":
			v = dress(c.looks.Hidden, v)
		}
		b.WriteString(v)
		text = text[n:]
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func dress(f func(string) string, s string) string {
	if f == nil {
		return s
	}
	return f(s)
}

// hint is the placeholder, cut to the width.
func (c *Composer) hint() string {
	text, column, at := c.looks.Hint, 0, 0
	for at < len(text) {
		n := next(text[at:])
		_, w := c.show(text[at : at+n])
		if column+w > c.width {
			break
		}
		at, column = at+n, column+w
	}
	return dress(c.looks.Placeholder, text[:at])
}

// stretch is a part of the text.
type stretch struct{ from, to pos }

// has reports whether the character at p is in it.
func (s *stretch) has(p pos) bool { return s != nil && !p.less(s.from) && p.less(s.to) }

func (p pos) less(q pos) bool { return p.line < q.line || p.line == q.line && p.off < q.off }
