package scroll

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Searchable is an Item whose text can be searched.
type Searchable interface {
	Item
	// Text is all of its text, also what is folded away. It is asked for again when Version changes, and each time the
	// query does, so it should be at hand.
	Text() string
}

// Finder finds text in the items of a list, a part of the list at a time, so that no key has to wait for ten thousand
// items. The newest items come first. A query without capitals does not mind them in the text.
//
// It is used by the goroutine that uses the list. Items may come, go and change between the calls.
type Finder struct {
	list *List
	m    matcher

	found   map[string]hits // by key, of the items that were searched
	pending []string        // keys of items that still have to be, the next one last
	total   int
	key     string // of the item with the current match; "" if there is none
	nth     int    // which match of that item
	size    int    // of the list when pending was made
	first   string // key of the first item then
}

// hits is what is known about an item.
type hits struct {
	version uint64
	count   int
}

// Found is a match.
type Found struct {
	// Item is the index of the item, and Nth which match of it, from 0.
	Item, Nth int
	// From and To are the bytes of its text.
	From, To int
	// Number counts the match among all, from 1, as far as they are known.
	Number int
}

// NewFinder returns a Finder without a query.
func NewFinder(l *List) *Finder { return &Finder{list: l} }

// SetQuery changes what is looked for. Empty looks for nothing. A query that adds to the last one looks only where that
// one was found.
func (f *Finder) SetQuery(query string) {
	m := newMatcher(query)
	if m == f.m {
		return
	}
	narrower := f.m.query != "" && strings.HasPrefix(m.query, f.m.query) && (m.exact || !f.m.exact)
	old := f.found
	f.m, f.found, f.pending, f.total, f.key, f.nth = m, map[string]hits{}, nil, 0, "", 0
	f.size, f.first = len(f.list.slots), ""
	if query == "" {
		return
	}
	for i, s := range f.list.slots {
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

// Query is what is looked for.
func (f *Finder) Query() string { return f.m.query }

// Step searches about so many bytes of text, at least one item, and reports whether all is searched. It notices items
// that came since; for items that changed call Changed.
func (f *Finder) Step(bytes int) (done bool) {
	f.notice()
	for len(f.pending) > 0 {
		key := f.pending[len(f.pending)-1]
		f.pending = f.pending[:len(f.pending)-1]
		i, ok := f.list.index[key]
		if !ok {
			continue
		}
		if f.known(i) { // a walk has been here
			continue
		}
		bytes -= f.search(i) + itemCost
		if bytes <= 0 {
			break
		}
	}
	return len(f.pending) == 0
}

// notice adds items at the end of the list to what has to be searched, and begins anew if others came or went.
func (f *Finder) notice() {
	n := len(f.list.slots)
	if f.m.query == "" || n == f.size && (n == 0 || f.list.slots[0].key == f.first) {
		return
	}
	if n > f.size && f.size > 0 && f.list.slots[0].key == f.first {
		for _, s := range f.list.slots[f.size:] {
			f.pending = append(f.pending, s.key)
		}
	} else {
		f.pending = f.pending[:0]
		for key := range f.found {
			if _, ok := f.list.index[key]; !ok {
				f.total -= f.found[key].count
				delete(f.found, key)
			}
		}
		for _, s := range f.list.slots {
			if _, ok := f.found[s.key]; !ok {
				f.pending = append(f.pending, s.key)
			}
		}
	}
	f.size, f.first = n, ""
	if n > 0 {
		f.first = f.list.slots[0].key
	}
}

// Changed says that the item at i changed, so that it is searched again.
func (f *Finder) Changed(i int) {
	s := f.list.slots[i]
	if h, ok := f.found[s.key]; ok && h.version != s.item.Version() {
		f.search(i)
	}
}

// search counts the matches in item i and returns how much text it was.
func (f *Finder) search(i int) int {
	s := f.list.slots[i]
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
	if it, ok := f.list.slots[i].item.(Searchable); ok {
		return it.Text()
	}
	return ""
}

// Count is how many matches were found so far, and whether that is all.
func (f *Finder) Count() (n int, all bool) { return f.total, len(f.pending) == 0 }

// Next goes to the next match, further down the list, and from the last to the first. Without a current one it goes to
// the first at or behind what the window shows. It searches what it passes. ok is false if there is none.
func (f *Finder) Next() (found Found, ok bool) {
	found, ok, _ = f.walk(1, math.MaxInt)
	return found, ok
}

// Previous goes to the match before. Without a current one it goes to the last in or before what the window shows.
func (f *Finder) Previous() (found Found, ok bool) {
	found, ok, _ = f.walk(-1, math.MaxInt)
	return found, ok
}

// Walk is Next, or Previous if dir is negative, that searches no more than about so many bytes it did not know. more
// reports that it gave up for this and may be called again; the current match is the same as before then.
func (f *Finder) Walk(dir, bytes int) (found Found, ok, more bool) { return f.walk(dir, bytes) }

func (f *Finder) walk(dir, bytes int) (found Found, ok, more bool) {
	n := len(f.list.slots)
	if n == 0 || f.m.query == "" {
		return Found{}, false, false
	}
	i, had := f.list.index[f.key]
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
		if c := f.found[f.list.slots[i].key].count; c > 0 {
			f.key, f.nth = f.list.slots[i].key, 0
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

// visible returns the first and the last item of which rows are in the last frame.
func (l *List) visible() (first, last int, ok bool) {
	for y := len(l.out) - 1; y >= 0; y-- {
		if i, _, in := l.ItemAt(y); in {
			return l.at.item, i, true
		}
	}
	return 0, 0, false
}

// count is how many matches item i has, searched now if that is not known.
func (f *Finder) count(i int) int {
	if !f.known(i) {
		f.search(i)
	}
	return f.found[f.list.slots[i].key].count
}

// known reports whether item i was searched as it is now.
func (f *Finder) known(i int) bool {
	s := f.list.slots[i]
	h, ok := f.found[s.key]
	return ok && h.version == s.item.Version()
}

// itemCost is what an item costs, in bytes, even if it is empty.
const itemCost = 64

// Current is the match that Next or Previous went to last. ok is false if there is none, or none any more.
func (f *Finder) Current() (found Found, ok bool) {
	i, ok := f.list.index[f.key]
	if !ok || f.nth >= f.count(i) {
		return Found{}, false
	}
	text, at := f.text(i), 0
	found = Found{Item: i, Nth: f.nth, Number: f.nth + 1}
	for n := 0; n <= f.nth; n++ {
		found.From, found.To = f.m.next(text, at)
		at = found.To
	}
	for _, s := range f.list.slots[:i] {
		found.Number += f.found[s.key].count
	}
	return found, true
}

// matcher finds a text in another.
type matcher struct {
	query string
	exact bool   // capitals matter
	ascii bool   // the query is ASCII, which is most of them
	a, b  byte   // the first byte of an ASCII query as it may stand
	rest  string // the query behind it
}

func newMatcher(query string) matcher {
	m := matcher{query: query, ascii: true}
	for _, r := range query {
		m.exact = m.exact || unicode.IsUpper(r)
		m.ascii = m.ascii && r < utf8.RuneSelf
	}
	if query != "" {
		m.a, m.b, m.rest = query[0], query[0], query[1:]
		if !m.exact && m.a >= 'a' && m.a <= 'z' {
			m.b = m.a - 'a' + 'A'
		}
	}
	return m
}

// next returns the first match at or behind at, from -1 if there is none.
func (m *matcher) next(text string, at int) (from, to int) {
	switch {
	case m.query == "" || at > len(text):
		return -1, -1
	case m.exact:
		if i := strings.Index(text[at:], m.query); i >= 0 {
			return at + i, at + i + len(m.query)
		}
		return -1, -1
	case m.ascii:
		return m.nextFolded(text, at)
	}
	for i := range text[at:] {
		if n := foldedPrefix(text[at+i:], m.query); n > 0 {
			return at + i, at + i + n
		}
	}
	return -1, -1
}

// nextFolded is next for an ASCII query without capitals. It looks for the first byte in both of its forms in turns, so
// that a text without one of them costs one look.
func (m *matcher) nextFolded(text string, at int) (from, to int) {
	small, big := at-1, at-1 // the next places of either form; len(text) if there is none
	for {
		if small < at {
			small = indexFrom(text, m.a, at)
		}
		if m.a == m.b {
			big = len(text)
		} else if big < at {
			big = indexFrom(text, m.b, at)
		}
		at = min(small, big)
		if at+len(m.query) > len(text) {
			return -1, -1
		}
		if equalFoldASCII(text[at+1:at+len(m.query)], m.rest) {
			return at, at + len(m.query)
		}
		at++
	}
}

func indexFrom(text string, c byte, at int) int {
	if i := strings.IndexByte(text[at:], c); i >= 0 {
		return at + i
	}
	return len(text)
}

// equalFoldASCII compares text with a query of the same length that has no capitals.
func equalFoldASCII(text, query string) bool {
	for i := range len(query) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != query[i] {
			return false
		}
	}
	return true
}

// foldedPrefix returns how many bytes of text the query, which has no capitals, takes at its start; 0 if it is not there.
func foldedPrefix(text, query string) int {
	n := 0
	for _, q := range query {
		if n >= len(text) {
			return 0
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if r != q && unicode.ToLower(r) != q {
			return 0
		}
		n += size
	}
	return n
}
