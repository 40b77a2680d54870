package scroll

// Frame returns the visible rows from the top, at most as many as the window is high. The slice is valid until the next
// call.
func (l *List) Frame() []string {
	l.items.cache.frame++
	l.out = l.out[:0]
	if l.height <= 0 || l.items.width <= 0 {
		return l.out
	}
	l.settle()
	i, row := l.at.item, l.at.row
	for ; i < len(l.items.slots) && len(l.out) < l.height; i++ {
		rows := l.items.rows(i)
		if i > l.at.item {
			row = -l.items.lead(i)
		}
		for ; row < 0 && len(l.out) < l.height; row++ {
			l.out = append(l.out, "")
		}
		if row >= 0 && row < len(rows) {
			l.out = append(l.out, rows[row:min(len(rows), row+l.height-len(l.out))]...)
		}
	}
	l.seen = max(l.seen, i)
	if l.follow {
		l.seen = len(l.items.slots)
	}
	l.items.cache.trim()
	return l.out
}

// ItemAt returns which row of which item is in row y of the frame. A negative row is in the gap that precedes the item.
func (l *List) ItemAt(y int) (item, row int, ok bool) {
	if y < 0 || y >= len(l.out) {
		return 0, 0, false
	}
	row = l.at.row + y
	for item = l.at.item; item < len(l.items.slots); item++ {
		n := len(l.items.rows(item))
		if row < n {
			return item, row, true
		}
		if item+1 < len(l.items.slots) {
			row -= n + l.items.lead(item+1)
		}
	}
	return 0, 0, false
}

// Following reports whether the window stays at the end when items are added.
func (l *List) Following() bool { return l.follow }

// Unseen returns how many items were added since the reader left the end and were not on the screen yet.
func (l *List) Unseen() int {
	if l.follow {
		return 0
	}
	return max(0, len(l.items.slots)-l.seen)
}

// visible returns the first and the last item in the last frame.
func (l *List) visible() (first, last int, ok bool) {
	for y := len(l.out) - 1; y >= 0; y-- {
		if i, _, in := l.ItemAt(y); in {
			return l.at.item, i, true
		}
	}
	return 0, 0, false
}
