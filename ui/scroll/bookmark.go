package scroll

// Bookmark is where a reader was, to come back to. It stays good while items come and go.
type Bookmark struct {
	key    string
	at     place
	follow bool
}

// Bookmark notes where the reader is.
func (l *List) Bookmark() Bookmark {
	b := Bookmark{at: l.at, follow: l.follow}
	if l.at.item < len(l.slots) {
		b.key = l.slots[l.at.item].key
	}
	return b
}

// Return goes back to where a bookmark was made; if its item is gone, it stays where it is.
func (l *List) Return(b Bookmark) {
	if b.follow {
		l.Bottom()
		return
	}
	i, ok := l.index[b.key]
	if !ok {
		return
	}
	l.cache.frame++
	l.at = b.at
	l.at.item = i
	l.recall()
	l.moved()
}

// Hold keeps the window where it is when something is added, also at the end.
func (l *List) Hold() {
	if len(l.slots) == 0 {
		return
	}
	l.cache.frame++
	l.settle()
	l.follow = false
}
