package scroll

import "math"

// place is a row of an item. Rows below 0 are those of the gap before it.
type place struct {
	item, row int
	// How the item looked when the reader got there, to find the row again when it looks different.
	look   look
	of     int // how many rows it had
	anchor int
}

// startOfGap stands for the first row of the gap, whatever its size.
const startOfGap = math.MinInt / 2

// settle finds the place again after whatever happened, and puts the window where it belongs: at the end if it follows,
// otherwise where the reader is, but never so far down that rows below the end would show.
func (l *List) settle() {
	if !l.follow {
		l.recall()
		if l.below() >= l.height {
			l.passHidden()
			return
		}
	}
	l.at = l.endAt(len(l.slots) - 1)
	l.passHidden()
}

// passHidden moves the place to an item that shows something. A hidden one would pull the window to itself when it comes
// out of hiding.
func (l *List) passHidden() {
	for i := l.at.item; i+1 < len(l.slots) && len(l.rows(i)) == 0; {
		i++
		l.at = l.placed(i, -l.lead(i))
	}
}

// recall maps the row of the place to the present layout of its item.
func (l *List) recall() {
	if l.at.item >= len(l.slots) {
		return // behind the last item, so the window belongs at the end
	}
	rows := len(l.rows(l.at.item))
	p, s := l.at, l.slots[l.at.item]
	row := p.row
	if row > 0 && p.look != (look{}) && p.look != s.look {
		if a, ok := s.item.(Anchored); ok && rows > 0 {
			row = a.Row(p.anchor)
		} else if p.look.width != s.look.width && p.of > 0 {
			row = row * rows / p.of
		}
		row = max(row, 0)
	}
	row = max(min(row, rows-1), -l.lead(p.item))
	l.at = l.placed(p.item, row)
}

// placed is the place with what has to be remembered about its item, which is laid out.
func (l *List) placed(item, row int) place {
	p := place{item: item, row: row}
	if item < len(l.slots) {
		s := l.slots[item]
		p.look, p.of = s.look, len(s.rows)
		if a, ok := s.item.(Anchored); ok && row > 0 && row < len(s.rows) {
			p.anchor = a.Anchor(row)
		}
	}
	return p
}

// endAt is the place of the first visible row when the last row of the item is the last of the window, or the start of
// the list if there is not enough above.
func (l *List) endAt(item int) place {
	n := 0
	for i := item; i >= 0; i-- {
		rows := len(l.rows(i))
		n += l.total(i, rows)
		if n >= l.height && rows > 0 {
			return l.placed(i, n-l.height-l.lead(i))
		}
	}
	return l.placed(0, 0)
}

// below is how many rows there are from the place to the end, counted no further than just beyond the window.
func (l *List) below() int {
	n := 0
	for i := l.at.item; i < len(l.slots) && n <= l.height; i++ {
		rows := len(l.rows(i))
		if i > l.at.item {
			n += l.total(i, rows)
		} else if rows > 0 {
			n += rows - l.at.row
		}
	}
	return n
}

// lead is how many blank rows stand before item i as it is laid out.
func (l *List) lead(i int) int {
	rows := len(l.rows(i))
	return l.total(i, rows) - rows
}

// moved decides whether the list follows its end, after the reader moved.
func (l *List) moved() { l.follow = l.below() <= l.height }

// Scroll moves the window by so many rows, down if positive. It lays out what it passes. When it arrives at the end the
// list follows it again.
func (l *List) Scroll(rows int) {
	if len(l.slots) == 0 {
		return
	}
	l.cache.frame++
	l.settle()
	l.move(rows)
}

// move moves the place by so many rows.
func (l *List) move(rows int) {
	i, row := l.at.item, l.at.row+rows
	for i > 0 && row < -l.lead(i) {
		row += l.lead(i)
		i--
		row += len(l.rows(i))
	}
	for i < len(l.slots)-1 && row >= len(l.rows(i)) {
		row -= len(l.rows(i))
		i++
		row -= l.lead(i)
	}
	l.at = l.placed(i, max(row, -l.lead(i)))
	l.passHidden()
	l.moved()
	l.cache.trim()
}

// Page moves the window by so many of its heights, less a row to keep the eye.
func (l *List) Page(pages int) { l.Scroll(pages * max(1, l.height-1)) }

// Top goes to the start of the list.
func (l *List) Top() { l.Jump(0) }

// Bottom goes to the end and follows it.
func (l *List) Bottom() { l.follow = true }

// Jump puts the first row of item i at the top of the window, or as near as the end of the list allows. Nothing in
// between is laid out.
func (l *List) Jump(i int) {
	l.cache.frame++
	l.at = place{item: min(max(i, 0), len(l.slots))}
	l.moved()
}

// Reveal makes item i visible with as little movement as possible. Of one that is higher than the window the first rows
// are shown, and a hidden one stays hidden.
func (l *List) Reveal(i int) {
	if i < 0 || i >= len(l.slots) {
		return
	}
	l.cache.frame++
	l.settle()
	rows := len(l.rows(i))
	switch first, ok := l.rowOf(i); {
	case rows == 0:
		return
	case ok && first+rows <= l.height || ok && first == 0:
		return
	case ok && rows < l.height || !ok && i > l.at.item && rows < l.height:
		l.at = l.endAt(i)
		l.passHidden()
		l.moved()
	default:
		l.Jump(i)
	}
}

// rowOf is the row of the window in which the first row of item i is, if it is in there.
func (l *List) rowOf(item int) (row int, ok bool) {
	if item < l.at.item || item == l.at.item && l.at.row > 0 {
		return 0, false
	}
	row = -l.at.row - l.lead(l.at.item)
	for i := l.at.item; row < l.height; i++ {
		row += l.lead(i)
		if i == item {
			return row, row < l.height
		}
		row += len(l.rows(i))
	}
	return 0, false
}
