package scroll

// Turner is an Item that may begin a turn, as the prompt of the user does.
type Turner interface {
	Item
	// BeginsTurn reports whether it does.
	BeginsTurn() bool
}

// JumpTurn puts the next beginning of a turn at the top of the window, or the one before if dir is negative, and reports
// whether there was one. Behind the last one it goes to the end.
func (l *List) JumpTurn(dir int) bool {
	if len(l.slots) == 0 {
		return false
	}
	l.cache.frame++
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
	for i += step; i >= 0 && i < len(l.slots); i += step {
		if t, ok := l.slots[i].item.(Turner); ok && t.BeginsTurn() {
			l.Jump(i)
			return true
		}
	}
	if dir > 0 {
		l.Bottom()
	}
	return false
}

// FirstUnseen is the first item that was added since the reader left the end and has not been on the screen yet, for a
// mark before it and a key that goes there.
func (l *List) FirstUnseen() (i int, ok bool) {
	if l.Unseen() == 0 {
		return 0, false
	}
	return l.seen, true
}

// JumpUnseen puts the first unseen item at the top of the window, or goes to the end if there is none.
func (l *List) JumpUnseen() {
	if i, ok := l.FirstUnseen(); ok {
		l.Jump(i)
		return
	}
	l.Bottom()
}

// RevealRow makes a row of item i visible with as little movement as possible, with a few rows around it.
func (l *List) RevealRow(i, row int) {
	if i < 0 || i >= len(l.slots) || l.height <= 0 {
		return
	}
	l.cache.frame++
	l.settle()
	rows := len(l.rows(i))
	if rows == 0 {
		return
	}
	row = min(max(row, 0), rows-1)
	around := min(2, (l.height-1)/2)
	if i == l.at.item || i > l.at.item {
		y := -l.at.row
		for j := l.at.item; j < i && y < l.height; j++ {
			y += len(l.rows(j)) + l.lead(j+1)
		}
		if y += row; y >= around && y < l.height-around || y >= 0 && y < l.height && i == 0 && row < around {
			return
		}
	}
	l.follow = false
	l.at = l.placed(i, row)
	l.move(-(l.height / 3))
}
