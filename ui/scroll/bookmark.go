package scroll

// Bookmark is a place of the reader. It stays valid while items are added.
type Bookmark struct {
	key    string
	at     place
	follow bool
}

// Bookmark returns the place of the reader.
func (l *List) Bookmark() Bookmark {
	b := Bookmark{at: l.at, follow: l.follow}
	if l.at.item < len(l.items.slots) {
		b.key = l.items.slots[l.at.item].key
	}
	return b
}

// Return goes back to a bookmark. It does nothing if the list was empty then.
func (l *List) Return(b Bookmark) {
	if b.follow {
		l.Bottom()
		return
	}
	i, ok := l.items.index[b.key]
	if !ok {
		return
	}
	l.items.cache.frame++
	l.at = b.at
	l.at.item = i
	l.remap()
	l.moved()
}

// Hold stops following the end: the window stays where it is when items are added.
func (l *List) Hold() {
	if len(l.items.slots) == 0 {
		return
	}
	l.items.cache.frame++
	l.settle()
	l.follow = false
}
