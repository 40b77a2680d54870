package scroll

import (
	"slices"
	"strings"
)

// items are the entries of a list with their cached layouts.
type items struct {
	slots []*slot
	index map[string]int // by key
	cache cache
	width int
	epoch uint64 // of the looks: theme, width method
}

// slot is an item with its layout, which is notLaidOut if it is not cached.
type slot struct {
	item Item
	key  string
	*laidOut
}

// laidOut is the layout of an item. It is allocated separately, because few of many items have one.
type laidOut struct {
	rows []string
	look look // for which rows holds; the zero look if there are none

	newer, older *slot  // in the order of use
	frame        uint64 // in which it was used last; 0 if its rows are not cached
}

// notLaidOut is shared by all items without a layout. It is never changed.
var notLaidOut = &laidOut{}

// look is everything that a layout depends on.
type look struct {
	version uint64
	epoch   uint64 // at least 1
	width   int
}

// append adds items at the end.
func (s *items) append(added []Item) {
	if len(s.slots) == 0 { // a long session is opened
		s.index = make(map[string]int, len(added))
		s.slots = make([]*slot, 0, len(added))
	}
	slots := make([]slot, len(added))
	for n, it := range added {
		slots[n] = slot{item: it, key: it.Key(), laidOut: notLaidOut}
		s.claim(slots[n].key, len(s.slots))
		s.slots = append(s.slots, &slots[n])
	}
}

// insert adds items before the one at i.
func (s *items) insert(i int, added []Item) {
	slots := make([]*slot, len(added))
	for n, it := range added {
		slots[n] = &slot{item: it, key: it.Key(), laidOut: notLaidOut}
		s.claim(slots[n].key, i+n)
	}
	s.slots = slices.Insert(s.slots, i, slots...)
	for n, moved := range s.slots[i:] {
		s.index[moved.key] = i + n
	}
}

func (s *items) claim(key string, i int) {
	if _, taken := s.index[key]; taken {
		panic("scroll: two items with the key " + key)
	}
	s.index[key] = i
}

// rows returns the rows of item i, laid out if they are not cached.
func (s *items) rows(i int) []string {
	at := s.slots[i]
	if now := (look{version: at.item.Version(), epoch: s.epoch, width: max(s.width, 1)}); at.look != now {
		if at.laidOut == notLaidOut {
			at.laidOut = &laidOut{}
		}
		at.rows = nil
		at.rows = at.item.Layout(now.width)
		at.look = now
		s.cache.layouts++
	}
	s.cache.touch(at)
	return at.rows
}

// gap returns how many blank rows precede item i if it has rows.
func (s *items) gap(i int) int {
	if i == 0 {
		return 0
	}
	return max(0, s.slots[i].item.Gap())
}

// lead returns how many blank rows precede item i, which is laid out for it.
func (s *items) lead(i int) int {
	if len(s.rows(i)) == 0 {
		return 0
	}
	return s.gap(i)
}

// total returns how many rows item i takes with those that precede it.
func (s *items) total(i int) int { return s.lead(i) + len(s.rows(i)) }

// trace returns what the rows of item i represent. The item is laid out for it.
func (s *items) trace(i int, r Reading) Trace {
	rows := s.rows(i)
	if it, ok := s.slots[i].item.(Traced); ok {
		if t := it.Trace(); len(t.Rows) == len(rows) {
			return t
		}
	}
	t := Trace{Rows: make([]Row, len(rows))}
	for y, row := range rows {
		t.Rows[y] = Row{Text: strings.TrimRight(r.Strip(row), " "), Join: "\n", Block: -1}
	}
	return t
}
