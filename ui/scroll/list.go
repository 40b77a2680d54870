package scroll

// List is a window on a list of items. It is used by one goroutine.
type List struct {
	items  items
	height int

	at     place // of the first visible row, unless follow
	follow bool
	seen   int // items that were on the screen, or there when the reader left the end
	out    []string
}

// New returns an empty list that follows its end and caches the layouts of about so many items besides the visible ones.
func New(cached int) *List {
	return &List{items: items{index: map[string]int{}, cache: cache{keep: cached, frame: 1}, epoch: 1}, follow: true}
}

// SetSize sets the size of the window in cells. Its cost does not depend on how many items there are.
func (l *List) SetSize(width, height int) { l.items.width, l.height = width, height }

// Invalidate makes every layout stale because the theme, or the width of characters, has changed.
func (l *List) Invalidate() { l.items.epoch++ }

// Len returns how many items there are.
func (l *List) Len() int { return len(l.items.slots) }

// Item returns the item at i, which must exist.
func (l *List) Item(i int) Item { return l.items.slots[i].item }

// Append adds items at the end. It panics if a key is taken.
func (l *List) Append(added ...Item) { l.items.append(added) }

// Supplant inserts an item before the one at i, which must exist, in its place: a window that begins with that one begins
// with the new one, which counts as seen if that one was. It panics if the key is taken.
func (l *List) Supplant(i int, it Item) {
	l.items.insert(i, []Item{it})
	if l.at.item > i || l.at.item == i && l.at.row > 0 {
		l.at.item++
	}
	if l.seen > i {
		l.seen++
	}
}

// Insert adds items before the one at i, in time that grows with the list unless i is its end. It panics if a key is
// taken.
func (l *List) Insert(i int, added ...Item) {
	if i == l.Len() {
		l.Append(added...)
		return
	}
	l.items.insert(i, added)
	if l.at.item >= i {
		l.at.item += len(added)
	}
	if l.seen >= i {
		l.seen += len(added)
	}
}
