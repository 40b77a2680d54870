package scroll

// Turner is an Item that may begin a turn, as a prompt does.
type Turner interface {
	Item
	// BeginsTurn reports whether the item begins a turn.
	BeginsTurn() bool
}

// JumpTurn moves the next beginning of a turn to the top of the window, or the previous one if dir is negative, and
// reports whether there is one. Behind the last one it goes to the end.
func (l *List) JumpTurn(dir int) bool {
	if len(l.items.slots) == 0 {
		return false
	}
	l.items.cache.frame++
	l.settle()
	i, step := l.at.item, 1
	if dir < 0 {
		step = -1
		if l.at.row > 0 {
			i++ // the start of the turn that the reader is in comes first
		}
	} else if l.follow {
		return false
	}
	for i += step; i >= 0 && i < len(l.items.slots); i += step {
		if t, ok := l.items.slots[i].item.(Turner); ok && t.BeginsTurn() {
			l.Jump(i)
			return true
		}
	}
	if dir > 0 {
		l.Bottom()
	}
	return false
}

// FirstUnseen returns the first item that was added since the reader left the end and was not on the screen yet.
func (l *List) FirstUnseen() (i int, ok bool) {
	if l.Unseen() == 0 {
		return 0, false
	}
	return l.seen, true
}

// JumpUnseen moves the first unseen item to the top of the window, or goes to the end if there is none.
func (l *List) JumpUnseen() {
	if i, ok := l.FirstUnseen(); ok {
		l.Jump(i)
		return
	}
	l.Bottom()
}

// RevealRow makes a row of item i visible, with a few rows around it. It moves nothing if it is visible already.
func (l *List) RevealRow(i, row int) {
	if i < 0 || i >= len(l.items.slots) || l.height <= 0 {
		return
	}
	l.items.cache.frame++
	l.settle()
	rows := len(l.items.rows(i))
	if rows == 0 {
		return
	}
	row = min(max(row, 0), rows-1)
	around := min(2, (l.height-1)/2)
	if i == l.at.item || i > l.at.item {
		y := -l.at.row
		for j := l.at.item; j < i && y < l.height; j++ {
			y += len(l.items.rows(j)) + l.items.lead(j+1)
		}
		if y += row; y >= around && y < l.height-around || y >= 0 && y < l.height && i == 0 && row < around {
			return
		}
	}
	l.follow = false
	l.at = l.placed(i, row)
	l.move(-(l.height / 3))
}
