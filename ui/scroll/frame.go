package scroll

// Frame returns the rows that are visible, from the top, as many as the window is high or fewer if there are not so
// many. The slice is the list's own and valid until the next call.
func (l *List) Frame() []string {
	l.cache.frame++
	l.out = l.out[:0]
	if l.height <= 0 || l.width <= 0 {
		return l.out
	}
	l.settle()
	i, row := l.at.item, l.at.row
	for ; i < len(l.slots) && len(l.out) < l.height; i++ {
		rows := l.rows(i)
		if i > l.at.item {
			row = -l.lead(i)
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
		l.seen = len(l.slots)
	}
	l.cache.trim()
	return l.out
}

// ItemAt returns which row of which item is in row y of the frame. A negative row is in the gap before the item.
func (l *List) ItemAt(y int) (item, row int, ok bool) {
	if y < 0 || y >= len(l.out) {
		return 0, 0, false
	}
	row = l.at.row + y
	for item = l.at.item; item < len(l.slots); item++ {
		n := len(l.rows(item))
		if row < n {
			return item, row, true
		}
		if item+1 < len(l.slots) {
			row -= n + l.lead(item+1)
		}
	}
	return 0, 0, false
}

// Following reports whether the window stays at the end when something is added.
func (l *List) Following() bool { return l.follow }

// Unseen is how many items at the end were added since the reader left it and have not been on the screen yet.
func (l *List) Unseen() int {
	if l.follow {
		return 0
	}
	return max(0, len(l.slots)-l.seen)
}

// Layouts is how many times an item was laid out since New.
func (l *List) Layouts() int { return l.cache.layouts }
