package textarea

// View is the text of a composer as it is drawn.
type View struct {
	// Rows are the rows from the top, at least one. They must not be changed.
	Rows []string
	// X and Y are the cell of the cursor.
	X, Y int
	// Above and Below report whether there are rows that do not fit.
	Above, Below bool
}

// Looks style text that is not plain. A nil function leaves it unchanged; none may change its width.
type Looks struct {
	Chip        func(string) string // the label of a folded paste
	Hidden      func(string) string // what represents a control or otherwise hidden character
	Placeholder func(string) string
	Selected    func(string) string // the selection of vim's visual mode
	// Hint is shown by an empty composer.
	Hint string
}

// drawn is the view that was made last. It holds until something changes.
type drawn struct {
	view    View
	version uint64 // grows with every change
	fresh   bool   // the view is that of this version
}

// outdate records that the view could be another one now.
func (d *drawn) outdate() {
	d.version++
	d.fresh = false
}

// View returns what is to be drawn. While nothing changes it returns the same view, at no cost.
func (c *Composer) View() View {
	if c.drawn.fresh {
		return c.drawn.view
	}
	cursor := c.layout.scroll(c.doc)
	v := View{}
	r, ok := c.doc.top, true
	_, v.Above = c.layout.above(c.doc, r)
	for ; ok && len(v.Rows) < c.layout.height; r, ok = c.layout.below(c.doc, r) {
		if r == cursor {
			v.X, v.Y = min(c.layout.column(c.doc, r), c.layout.width-1), len(v.Rows)
		}
		v.Rows = append(v.Rows, c.layout.draw(c.doc, r, c.marked))
	}
	v.Below = ok
	if c.Empty() && c.layout.looks.Hint != "" {
		v.Rows[0] = c.layout.hint()
	}
	c.drawn.view, c.drawn.fresh = v, true
	return v
}

// Tall returns how many rows the text takes, counted up to most. It lays out no more than that.
func (c *Composer) Tall(most int) (n int) {
	for i := range c.doc.lines {
		if n += len(c.layout.rows(c.doc, i)); n >= most {
			return most
		}
	}
	return n
}

// stretch is a part of the text.
type stretch struct{ from, to pos }

// has reports whether the character at p is in it.
func (s *stretch) has(p pos) bool { return s != nil && !p.less(s.from) && p.less(s.to) }
