package scroll

// Selection is what the reader selected with the mouse: from cell to cell, by words after a double click, by lines after
// a triple one. It moves with its text while the list scrolls and grows, and is cleared when the width changes. It is
// used by the goroutine that uses the list.
type Selection struct {
	list *List
	read Reading

	active   bool
	dragged  bool // by more than the cell of the press
	unit     Unit
	width    int
	from, to spot // of the press
	head     span // under the pointer
	version  uint64
}

// Unit is the granularity of a selection.
type Unit uint8

// The units of a selection.
const (
	ByCell Unit = iota
	ByWord
	ByLine
)

// spot is a place in the text of an item.
type spot struct {
	key  string
	row  int
	off  int  // in Row.Text
	lead bool // before the text: the selection includes Row.Lead
}

type span struct{ from, to spot }

// NewSelection returns an empty selection on the list.
func NewSelection(l *List, r Reading) *Selection { return &Selection{list: l, read: r} }

// SetReading sets how rows are read, because the terminal counts cells another way. It clears the selection.
func (s *Selection) SetReading(r Reading) {
	s.Clear()
	s.read = r
}

// Version changes whenever Cells could return something else for the same frame.
func (s *Selection) Version() uint64 { return s.version }

// Press replaces the selection by one that begins in a cell of the last frame. clicks counts the successive presses
// there: 1 selects by cells, 2 by words, 3 by lines, 4 by cells again.
func (s *Selection) Press(x, y, clicks int) {
	s.Clear()
	unit := Unit((max(clicks, 1) - 1) % 3)
	at, ok := s.spotAt(x, y, unit)
	if !ok {
		return
	}
	s.active, s.unit, s.width = true, unit, s.list.items.width
	s.from, s.to, s.head = at.from, at.to, at
	s.dragged = unit != ByCell
	s.version++
}

// Drag moves the end of the selection to a cell. For a cell above or below the window it uses the nearest one, and
// returns by how many rows to scroll before Drag is called again.
func (s *Selection) Drag(x, y int) (scroll int) {
	if !s.live() {
		return 0
	}
	last := len(s.list.out) - 1
	switch {
	case y < 0:
		scroll, x = y, 0
	case y > last:
		scroll, x = y-last, s.list.items.width
	}
	at, ok := s.spotAt(x, min(max(y, 0), last), s.unit)
	if !ok || at == s.head {
		return scroll
	}
	s.head, s.dragged = at, true
	s.version++
	return scroll
}

// Release ends the drag and reports whether anything is selected. A click without a drag clears the selection.
func (s *Selection) Release() bool {
	if s.live() && !s.dragged {
		s.Clear()
	}
	return s.live()
}

// Clear clears the selection.
func (s *Selection) Clear() {
	if s.active {
		s.active = false
		s.version++
	}
}

// Empty reports whether nothing is selected.
func (s *Selection) Empty() bool { return !s.live() || !s.dragged }

// live reports whether there is a selection that still fits the rows.
func (s *Selection) live() bool {
	if s.active && s.width != s.list.items.width {
		s.Clear()
	}
	return s.active
}

// spotAt returns the text in a cell of the frame, extended to the unit.
func (s *Selection) spotAt(x, y int, unit Unit) (span, bool) {
	item, row, ok := s.list.ItemAt(y)
	if !ok {
		return span{}, false
	}
	t := s.list.items.trace(item, s.read)
	if len(t.Rows) == 0 {
		return span{}, false
	}
	if row < 0 {
		row, x = 0, -1
	}
	key := s.list.items.slots[item].key
	r := &t.Rows[row]
	from, to := s.read.at(r, x)
	at := span{spot{key, row, from, x < r.Skip}, spot{key, row, to, false}}
	if unit != ByCell {
		at = grow(&t, at, unit)
	}
	return at, true
}

// bounds returns the first and the last place of the selection with their items, in the order of the list.
func (s *Selection) bounds() (from, to spot, first, last int, ok bool) {
	if s.Empty() {
		return from, to, 0, 0, false
	}
	from, to = s.from, s.to
	if s.before(s.head.from, from) {
		from = s.head.from
	}
	if s.before(to, s.head.to) {
		to = s.head.to
	}
	first, ok1 := s.list.items.index[from.key]
	last, ok2 := s.list.items.index[to.key]
	return from, to, first, last, ok1 && ok2
}

func (s *Selection) before(a, b spot) bool {
	if a.key != b.key {
		return s.list.items.index[a.key] < s.list.items.index[b.key]
	}
	if a.row != b.row {
		return a.row < b.row
	}
	if a.off != b.off {
		return a.off < b.off
	}
	return a.lead && !b.lead
}

// Cells returns which cells of row y of the last frame are selected; to is excluded.
func (s *Selection) Cells(y int) (from, to int, ok bool) {
	a, b, first, last, ok := s.bounds()
	if !ok {
		return 0, 0, false
	}
	item, row, ok := s.list.ItemAt(y)
	if !ok || row < 0 || item < first || item > last {
		return 0, 0, false
	}
	if item == first && row < a.row || item == last && row > b.row {
		return 0, 0, false
	}
	t := s.list.items.trace(item, s.read)
	if row >= len(t.Rows) {
		return 0, 0, false
	}
	r := &t.Rows[row]
	from, to = r.Skip, s.read.cell(r, len(r.Text))
	if item == first && row == a.row {
		from = s.read.cell(r, a.off)
	}
	if item == last && row == b.row {
		to = s.read.cell(r, b.off)
	}
	return from, to, from < to
}

// BlockAt returns the block of row y of the last frame, and its source.
func (s *Selection) BlockAt(y int) (b Block, source string, ok bool) {
	item, row, ok := s.list.ItemAt(y)
	if !ok || row < 0 {
		return Block{}, "", false
	}
	t := s.list.items.trace(item, s.read)
	if row >= len(t.Rows) || t.Rows[row].Block < 0 || t.Rows[row].Block >= len(t.Blocks) {
		return Block{}, "", false
	}
	b = t.Blocks[t.Rows[row].Block]
	return b, t.Source[b.From:b.To], true
}
