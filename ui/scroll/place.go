package scroll

// place is a row of an item. Negative rows are those of the gap that precedes it.
type place struct {
	item, row int
	// The layout of the item when the reader got there, to find the row again in another one.
	look   look
	of     int // how many rows it had
	anchor int
}

// settle brings the place up to date: at the end if the window follows it, otherwise at the reader's row, but never so
// far down that the window would show rows below the end.
func (l *List) settle() {
	if !l.follow {
		l.remap()
		if l.below() >= l.height {
			l.skipHidden()
			return
		}
	}
	l.at = l.endAt(len(l.items.slots) - 1)
	l.skipHidden()
}

// skipHidden moves the place to an item that has rows. A hidden one would move the window when it becomes visible.
func (l *List) skipHidden() {
	for i := l.at.item; i+1 < len(l.items.slots) && len(l.items.rows(i)) == 0; {
		i++
		l.at = l.placed(i, -l.items.lead(i))
	}
}

// remap maps the row of the place to the current layout of its item.
func (l *List) remap() {
	if l.at.item >= len(l.items.slots) {
		return // behind the last item, so the window belongs at the end
	}
	rows := len(l.items.rows(l.at.item))
	p, s := l.at, l.items.slots[l.at.item]
	row := p.row
	if row > 0 && p.look != (look{}) && p.look != s.look {
		if a, ok := s.item.(Anchored); ok && rows > 0 {
			row = a.Row(p.anchor)
		} else if p.look.width != s.look.width && p.of > 0 {
			row = row * rows / p.of
		}
		row = max(row, 0)
	}
	row = max(min(row, rows-1), -l.items.lead(p.item))
	l.at = l.placed(p.item, row)
}

// placed returns a place with the layout of its item, which is laid out.
func (l *List) placed(item, row int) place {
	p := place{item: item, row: row}
	if item < len(l.items.slots) {
		s := l.items.slots[item]
		p.look, p.of = s.look, len(s.rows)
		if a, ok := s.item.(Anchored); ok && row > 0 && row < len(s.rows) {
			p.anchor = a.Anchor(row)
		}
	}
	return p
}

// endAt returns the first visible row when the last row of the item is the last of the window, or the start of the list
// if there are fewer rows above.
func (l *List) endAt(item int) place {
	n := 0
	for i := item; i >= 0; i-- {
		n += l.items.total(i)
		if n >= l.height && len(l.items.rows(i)) > 0 {
			return l.placed(i, n-l.height-l.items.lead(i))
		}
	}
	return l.placed(0, 0)
}

// below returns how many rows follow from the place on. It stops counting just beyond the window.
func (l *List) below() int {
	n := 0
	for i := l.at.item; i < len(l.items.slots) && n <= l.height; i++ {
		if i > l.at.item {
			n += l.items.total(i)
		} else if rows := len(l.items.rows(i)); rows > 0 {
			n += rows - l.at.row
		}
	}
	return n
}

// moved makes the list follow its end if the reader arrived there.
func (l *List) moved() { l.follow = l.below() <= l.height }

// Scroll moves the window by so many rows, down if positive, and lays out the items it passes. At the end the list
// follows it again.
func (l *List) Scroll(rows int) {
	if len(l.items.slots) == 0 {
		return
	}
	l.items.cache.frame++
	l.settle()
	l.move(rows)
}

// move moves the place by so many rows, down if positive.
func (l *List) move(rows int) {
	i, row := l.at.item, l.at.row+rows
	for i > 0 && row < -l.items.lead(i) {
		row += l.items.lead(i)
		i--
		row += len(l.items.rows(i))
	}
	for i < len(l.items.slots)-1 && row >= len(l.items.rows(i)) {
		row -= len(l.items.rows(i))
		i++
		row -= l.items.lead(i)
	}
	l.at = l.placed(i, max(row, -l.items.lead(i)))
	l.skipHidden()
	l.moved()
	l.items.cache.trim()
}

// Page moves the window by so many of its heights, less a row for orientation.
func (l *List) Page(pages int) { l.Scroll(pages * max(1, l.height-1)) }

// Top goes to the start of the list.
func (l *List) Top() { l.Jump(0) }

// Bottom goes to the end and follows it.
func (l *List) Bottom() { l.follow = true }

// Jump moves the first row of item i to the top of the window, or as near as the end of the list allows. It lays out
// nothing in between.
func (l *List) Jump(i int) {
	l.items.cache.frame++
	l.at = place{item: min(max(i, 0), len(l.items.slots))}
	l.moved()
}

// Reveal makes item i visible with as little movement as possible: the first rows of one that is higher than the window,
// and nothing of a hidden one.
func (l *List) Reveal(i int) {
	if i < 0 || i >= len(l.items.slots) {
		return
	}
	l.items.cache.frame++
	l.settle()
	rows := len(l.items.rows(i))
	switch first, ok := l.rowOf(i); {
	case rows == 0:
		return
	case ok && first+rows <= l.height || ok && first == 0:
		return
	case ok && rows < l.height || !ok && i > l.at.item && rows < l.height:
		l.at = l.endAt(i)
		l.skipHidden()
		l.moved()
	default:
		l.Jump(i)
	}
}

// rowOf returns the row of the window that shows the first row of item i, if one does.
func (l *List) rowOf(item int) (row int, ok bool) {
	if item < l.at.item || item == l.at.item && l.at.row > 0 {
		return 0, false
	}
	row = -l.at.row - l.items.lead(l.at.item)
	for i := l.at.item; row < l.height; i++ {
		row += l.items.lead(i)
		if i == item {
			return row, row < l.height
		}
		row += len(l.items.rows(i))
	}
	return 0, false
}
