package scroll

import "strings"

// Searchable is an Item whose text can be searched.
type Searchable interface {
	Item
	// Text returns all of its text, folded or not. It is called for each query and each version, so it must be cheap.
	Text() string
}

// Finder finds text in the items of a list, a part of the list at a time and the newest items first, so that keys never
// wait. A query without capitals matches in any case. It is used by the goroutine that uses the list, which may change
// between the calls.
type Finder struct {
	list *List
	m    matcher

	found   map[string]hits // by key, for the items that were searched
	pending []string        // keys of the items to search, the next one last
	total   int
	key     string // of the item with the current match; "" if there is none
	nth     int    // which match of that item
	size    int    // of the list when pending was made
	first   string // key of the first item then
}

// hits is the number of matches in an item.
type hits struct {
	version uint64
	count   int
}

// Found is a match.
type Found struct {
	// Item is the index of the item, and Nth the match in it, from 0.
	Item, Nth int
	// From and To are the bytes of its text.
	From, To int
	// Number is the number of the match among those that were found so far, from 1.
	Number int
}

// NewFinder returns a Finder without a query.
func NewFinder(l *List) *Finder { return &Finder{list: l} }

// SetQuery sets the text to find; an empty one finds nothing. A query that extends the last one is searched only where
// that one was found.
func (f *Finder) SetQuery(query string) {
	m := newMatcher(query)
	if m == f.m {
		return
	}
	narrower := f.m.query != "" && strings.HasPrefix(m.query, f.m.query) && (m.exact || !f.m.exact)
	old := f.found
	f.m, f.found, f.pending, f.total, f.key, f.nth = m, map[string]hits{}, nil, 0, "", 0
	f.size, f.first = len(f.list.items.slots), ""
	if query == "" {
		return
	}
	for i, s := range f.list.items.slots {
		if i == 0 {
			f.first = s.key
		}
		if h, ok := old[s.key]; narrower && ok && h.count == 0 && h.version == s.item.Version() {
			f.found[s.key] = h
			continue
		}
		f.pending = append(f.pending, s.key)
	}
}

// Query returns the text to find.
func (f *Finder) Query() string { return f.m.query }

// Step searches about so many bytes of text, at least one item, and reports whether all items are searched. It includes
// new items; for changed ones call Changed.
func (f *Finder) Step(bytes int) (done bool) {
	f.notice()
	for len(f.pending) > 0 {
		key := f.pending[len(f.pending)-1]
		f.pending = f.pending[:len(f.pending)-1]
		i := f.list.items.index[key]
		if f.known(i) { // Walk searched it
			continue
		}
		bytes -= f.search(i) + itemCost
		if bytes <= 0 {
			break
		}
	}
	return len(f.pending) == 0
}

// notice adds new items to pending: those at the end, or, if the first item is another one, all that were not searched.
func (f *Finder) notice() {
	n := len(f.list.items.slots)
	if f.m.query == "" || n == f.size && (n == 0 || f.list.items.slots[0].key == f.first) {
		return
	}
	if n > f.size && f.size > 0 && f.list.items.slots[0].key == f.first {
		for _, s := range f.list.items.slots[f.size:] {
			f.pending = append(f.pending, s.key)
		}
	} else {
		f.pending = f.pending[:0]
		for _, s := range f.list.items.slots {
			if _, ok := f.found[s.key]; !ok {
				f.pending = append(f.pending, s.key)
			}
		}
	}
	f.size, f.first = n, ""
	if n > 0 {
		f.first = f.list.items.slots[0].key
	}
}

// Changed searches the item at i again if it has changed.
func (f *Finder) Changed(i int) {
	s := f.list.items.slots[i]
	if h, ok := f.found[s.key]; ok && h.version != s.item.Version() {
		f.search(i)
	}
}

// search counts the matches in item i and returns the length of its text.
func (f *Finder) search(i int) int {
	s := f.list.items.slots[i]
	h := hits{version: s.item.Version()}
	text := f.text(i)
	for at := 0; ; h.count++ {
		from, to := f.m.next(text, at)
		if from < 0 {
			break
		}
		at = to
	}
	f.total += h.count - f.found[s.key].count
	f.found[s.key] = h
	return len(text)
}

func (f *Finder) text(i int) string {
	if it, ok := f.list.items.slots[i].item.(Searchable); ok {
		return it.Text()
	}
	return ""
}

// Count returns how many matches were found so far, and whether all items are searched.
func (f *Finder) Count() (n int, all bool) { return f.total, len(f.pending) == 0 }

// Walk goes to the next match, or the one before if dir is negative, and round at the ends. Without a current match it
// starts at what the window shows. It searches about so many bytes that were not searched yet: more reports that it
// stopped for this and can be called again, with the current match unchanged. ok is false if there is no match.
func (f *Finder) Walk(dir, bytes int) (found Found, ok, more bool) {
	n := len(f.list.items.slots)
	if n == 0 || f.m.query == "" {
		return Found{}, false, false
	}
	i, had := f.list.items.index[f.key]
	if had {
		if c := f.count(i); f.nth+dir >= 0 && f.nth+dir < c {
			f.nth += dir
			found, ok = f.Current()
			return found, ok, false
		}
		i += dir
	} else if i = min(f.list.at.item, n-1); dir < 0 {
		if _, last, some := f.list.visible(); some {
			i = last
		}
	}
	for range n + 1 {
		i = (i + n) % n
		if !f.known(i) {
			if bytes <= 0 {
				return Found{}, false, true
			}
			bytes -= f.search(i) + itemCost
		}
		if c := f.found[f.list.items.slots[i].key].count; c > 0 {
			f.key, f.nth = f.list.items.slots[i].key, 0
			if dir < 0 {
				f.nth = c - 1
			}
			found, ok = f.Current()
			return found, ok, false
		}
		i += dir
	}
	return Found{}, false, false
}

// count returns how many matches item i has, searching it if it was not.
func (f *Finder) count(i int) int {
	if !f.known(i) {
		f.search(i)
	}
	return f.found[f.list.items.slots[i].key].count
}

// known reports whether this version of item i was searched.
func (f *Finder) known(i int) bool {
	s := f.list.items.slots[i]
	h, ok := f.found[s.key]
	return ok && h.version == s.item.Version()
}

// itemCost is the cost of an empty item, in bytes.
const itemCost = 64

// Current returns the match that Walk went to last. ok is false if there is none, or it is gone.
func (f *Finder) Current() (found Found, ok bool) {
	i, ok := f.list.items.index[f.key]
	if !ok || f.nth >= f.count(i) {
		return Found{}, false
	}
	text, at := f.text(i), 0
	found = Found{Item: i, Nth: f.nth, Number: f.nth + 1}
	for n := 0; n <= f.nth; n++ {
		found.From, found.To = f.m.next(text, at)
		at = found.To
	}
	for _, s := range f.list.items.slots[:i] {
		found.Number += f.found[s.key].count
	}
	return found, true
}
