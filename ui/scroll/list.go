package scroll

import "slices"

// List is a window on a list of items. It is used by one goroutine.
type List struct {
	slots []*slot
	index map[string]int // by key
	cache cache

	width, height int
	epoch         uint64 // of the looks: theme, width method

	at     place // of the first visible row, unless follow
	follow bool
	seen   int // items that were on the screen, or there when the reader left the end
	out    []string
}

// slot is an item with its layout, which is unlaid if that is not remembered.
type slot struct {
	item Item
	key  string
	*laid
}

// laid is the layout of an item. It is kept apart, because few of many items have one.
type laid struct {
	rows []string
	look look // for which rows holds; the zero look if there are none

	newer, older *slot  // in the order of use
	frame        uint64 // in which it was used last; 0 if its rows are not remembered
}

// unlaid is what all items have that are not laid out. It is never changed.
var unlaid = &laid{}

// look is everything that a layout depends on.
type look struct {
	version uint64
	epoch   uint64 // at least 1
	width   int
}

// New returns an empty list that follows its end and remembers the layouts of about so many items besides the visible
// ones.
func New(keep int) *List {
	return &List{index: map[string]int{}, cache: cache{keep: keep, frame: 1}, epoch: 1, follow: true}
}

// SetSize sets the size of the window in cells. Its cost does not depend on how many items there are.
func (l *List) SetSize(width, height int) {
	l.width, l.height = width, height
}

// Invalidate makes every layout stale: the theme changed, or how wide characters are.
func (l *List) Invalidate() { l.epoch++ }

// Len is how many items there are.
func (l *List) Len() int { return len(l.slots) }

// Item returns the item at i, which must be one.
func (l *List) Item(i int) Item { return l.slots[i].item }

// Index returns where the item with the key is.
func (l *List) Index(key string) (i int, ok bool) {
	i, ok = l.index[key]
	return i, ok
}

// Append adds items at the end. A key that is there already is a mistake of the caller, and panics.
func (l *List) Append(items ...Item) {
	if len(l.slots) == 0 { // a long session is opened
		l.index = make(map[string]int, len(items))
		l.slots = make([]*slot, 0, len(items))
	}
	made := make([]slot, len(items))
	for n, it := range items {
		key := it.Key()
		l.claim(key, len(l.slots))
		made[n] = slot{item: it, key: key, laid: unlaid}
		l.slots = append(l.slots, &made[n])
	}
}

// Insert adds items before the one at i, in time that grows with the list unless i is its end.
func (l *List) Insert(i int, items ...Item) {
	if i == len(l.slots) {
		l.Append(items...)
		return
	}
	added := make([]*slot, len(items))
	for n, it := range items {
		l.claim(it.Key(), i+n)
		added[n] = &slot{item: it, key: it.Key(), laid: unlaid}
	}
	l.slots = slices.Insert(l.slots, i, added...)
	l.reindex(i)
	if l.at.item >= i {
		l.at.item += len(items)
	}
	if l.seen >= i {
		l.seen += len(items)
	}
}

// Replace puts another item in the place of the one at i. If its key is the same the reader stays at the same row.
func (l *List) Replace(i int, it Item) {
	s := l.slots[i]
	if it.Key() != s.key {
		delete(l.index, s.key)
		l.claim(it.Key(), i)
		if l.at.item == i {
			l.at = place{item: i}
		}
	}
	l.cache.drop(s)
	s.item, s.key = it, it.Key()
}

// Remove takes n items away, beginning at i, in time that grows with the list. A reader who was in them is at the start
// of the next one then.
func (l *List) Remove(i, n int) {
	if i+n == len(l.slots) {
		l.Truncate(i)
		return
	}
	for _, s := range l.slots[i : i+n] {
		l.forget(s)
	}
	l.slots = slices.Delete(l.slots, i, i+n)
	l.reindex(i)
	switch {
	case l.at.item >= i+n:
		l.at.item -= n
	case l.at.item >= i:
		l.at = place{item: i, row: startOfGap}
	}
	if l.seen > i {
		l.seen = max(i, l.seen-n)
	}
}

// Truncate keeps the first n items.
func (l *List) Truncate(n int) {
	if n >= len(l.slots) {
		return
	}
	for _, s := range l.slots[n:] {
		l.forget(s)
	}
	clear(l.slots[n:])
	l.slots = l.slots[:n]
	l.seen = min(l.seen, n)
	if l.at.item >= n {
		l.at = place{item: n, row: startOfGap}
	}
}

func (l *List) claim(key string, i int) {
	if _, taken := l.index[key]; taken {
		panic("scroll: two items with the key " + key)
	}
	l.index[key] = i
}

func (l *List) reindex(from int) {
	for i, s := range l.slots[from:] {
		l.index[s.key] = from + i
	}
}

func (l *List) forget(s *slot) {
	delete(l.index, s.key)
	l.cache.drop(s)
}
