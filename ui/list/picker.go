package list

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/style"
)

// Action is what came of a key, within the call that returned it. nil is nothing.
type Action interface{ action() }

type (
	// Picked carries the chosen row, and what is typed.
	Picked struct {
		Row   Row
		Typed string
	}
	// Dropped carries a row to be removed. The list stays open, so that an escape meant for it stops no turn.
	Dropped struct{ Row Row }
	// Moved carries a row to be moved so many places down.
	Moved struct {
		Row Row
		By  int
	}
	// Turned carries a row after ← or → changed its value.
	Turned struct{ Row Row }
	// Acted carries the selected row and the key of one of Options.Offers.
	Acted struct {
		Row Row
		Key string
	}
	// Refused carries a row that cannot be chosen.
	Refused struct{ Row Row }
	// Peek carries the selected row, whose preview is missing.
	Peek struct{ Row Row }
	// Passed reports that a key means nothing to a list.
	Passed struct{}
)

func (Picked) action()  {}
func (Dropped) action() {}
func (Moved) action()   {}
func (Turned) action()  {}
func (Acted) action()   {}
func (Refused) action() {}
func (Peek) action()    {}
func (Passed) action()  {}

// Options are the texts of a picker and what can be done in it.
type Options struct {
	// Title and Right are the ends of the first row. One is what the chat in lines calls a row, such as "model".
	Title, Right, One string
	// Filter is what the empty filter says of itself, "" for the usual.
	Filter string
	// Also is a sentence for the chat in lines about what else may stand behind the command.
	Also string
	// Heads stand over the columns where the window is high enough.
	Heads []string
	// Gives are the columns that are left out first where there is no room, in that order; then the others from the last.
	Gives []int
	// Prose is the column of the descriptions, the last, 0 without any: they are wrapped, below the name where there is little
	// room beside it. Wraps is set where long names are wrapped too.
	Prose int
	Wraps bool
	// Whole is set where a name is never cut as long as another column can be left out.
	Whole bool
	// Value is the column of what ← and → change in the selected row, see [Row.Values]; 0 for none.
	Value int
	// Text explains the choice above the list; it is wrapped, never cut.
	Text string
	// Keys are the keys that work in the picker, for its last row.
	Keys string
	// Wait is what is being loaded, Trouble what went wrong; the list is empty then. None is shown for an empty list.
	Wait, Trouble, None string

	// Field is set where what is typed is a text to choose a row with, see [Picker.Typed]; it filters nothing.
	Field bool

	// Numbered is set where names begin with the numbers of their rows, which the chat in lines has before them.
	Numbered bool
	// Plain is set where there is nothing to choose: rows are read and scrolled, not selected or filtered.
	Plain bool
	// Sure is set where letters choose nothing: only the keys that move do. Stays is set where a choice closes nothing.
	Sure, Stays bool

	Drops, Moves bool // whether rows can be removed and moved
	Clears       bool // esc clears the filter before it closes the list
	// Offers are what else can be done with the selected row: a [Doer] gets them as [Acted].
	Offers    []Offer
	Peeks     bool // whether rows have previews: About, or what Peek asks for
	Below     bool // whether the preview is below the list, however wide the window is
	PeeksFrom int  // the rows of the window from which a preview has room below the list, 0 for the usual number
}

// Picker is an open list. It has no size until SetSize.
type Picker struct {
	Options

	look     *style.Look
	filter   style.LineInput
	finds    filter
	all      []Row
	groups   []int32 // of the rows, numbered in their order
	kinds    int     // how many groups there are
	shown    []int   // the indexes of the rows that match the filter
	at       int     // the selected row, as an index of shown
	top      int     // the first row on the screen
	named    int     // the columns of the names
	widths   []int   // of the columns
	values   values
	offers   offers
	hits     hits
	narrower Narrower // nil: what is typed is words
	wrong    string   // with what is typed
	previews map[string]Preview
	resized  bool // so that previews have another width, and are to be asked for again

	width, room int // of the window
	height      int // rows of the last layout
}

// Row is one thing to choose. Its texts are visible.
type Row struct {
	ID, Group string
	Cells     []string // the first is the name and gets the room the others leave
	Also      string   // matched by the filter, but not shown
	About     []string // the preview, in paragraphs; nil: Peek asks for it
	Repeats   []int    // of About, the column that says the same: such a paragraph is left out while that is shown; 0 for none
	Off       string   // why the row cannot be chosen, "" if it can
	Mark      bool     // the row is in use
	Note      string   // stands behind the name, in brackets, in the place of Mark's
	Says      []string // the passages by which the row was found; [Panel.Found] sets it
	Number    int      // what the chat in lines calls the row by, 0 for its place
	Values    []string // what ← and → set the cell of Options.Value to, which is one of them
}

// shown returns the cells as they are drawn.
func (r *Row) shown() []string {
	suffix := r.suffix()
	if suffix == "" || len(r.Cells) == 0 {
		return r.Cells
	}
	return append([]string{r.Cells[0] + suffix}, r.Cells[1:]...)
}

// New returns a picker without rows.
func New(l *style.Look, o Options) *Picker {
	return &Picker{Options: o, look: l, values: values{column: o.Value}, offers: offers{all: o.Offers}, previews: map[string]Preview{}}
}

// SetSize sets the columns of the window and the rows that the picker may cover.
func (p *Picker) SetSize(width, room int) {
	was := p.previewWidth()
	if p.width, p.room = width, room; p.previewWidth() != was {
		clear(p.previews)
		p.resized = true
	}
	if p.height == 0 {
		p.height = room
	}
}

// SetFilter sets the text of the filter. Rows set later are filtered by it.
func (p *Picker) SetFilter(words string) { p.filter.Set(words) }

// Typed returns what is typed.
func (p *Picker) Typed() string { return p.filter.String() }

// Fail shows what went wrong in the place of the list.
func (p *Picker) Fail(trouble string) { p.Wait, p.Trouble = "", trouble }

// setRows replaces the rows, and keeps the selection where it can, else its place.
func (p *Picker) setRows(rows []Row) {
	id, at := "", p.at
	if r, ok := p.Selected(); ok {
		id = r.ID
	}
	if !p.Stays { // the source decides where a choice leaves the list open
		p.values.keep(rows)
	}
	p.all, p.Wait = rows, ""
	p.finds.reset()
	p.group()
	p.match()
	if id != "" {
		p.at = max(0, min(at, len(p.shown)-1))
	}
	for i, n := range p.shown {
		if p.all[n].ID == id && id != "" || id == "" && p.all[n].Mark {
			p.at = i
		}
	}
}

// Selected returns the selected row, false if there is none.
func (p *Picker) Selected() (Row, bool) {
	if p.at < 0 || p.at >= len(p.shown) {
		return Row{}, false
	}
	return p.all[p.shown[p.at]], true
}

// Select selects the last shown row for which ok returns true, if any.
func (p *Picker) Select(ok func(Row) bool) {
	for i, n := range p.shown {
		if ok(p.all[n]) {
			p.at = i
		}
	}
}

// match filters the rows: the best match first within each group, the groups in their order.
func (p *Picker) match() {
	p.shown = p.shown[:0]
	p.at, p.top = 0, 0
	now := read(p.Typed(), p.narrower)
	p.wrong = now.wrong
	if p.Field || len(now.words) == 0 && now.only == nil {
		for i := range p.all {
			p.shown = append(p.shown, i)
		}
		return
	}
	hits := p.finds.find(p.all, now, p.hits.by)
	sizes := make([]int, p.kinds+1)
	for _, n := range hits {
		sizes[p.groups[n]+1]++
	}
	for g := range p.kinds {
		sizes[g+1] += sizes[g] // sizes[g] is now where the group begins
	}
	p.shown = append(p.shown, hits...)
	for _, n := range hits {
		g := p.groups[n]
		p.shown[sizes[g]] = n
		sizes[g]++
	}
}

// group numbers the groups of the rows in their order.
func (p *Picker) group() {
	p.groups = make([]int32, len(p.all))
	numbers := map[string]int32{}
	for i := range p.all {
		name := p.all[i].Group
		if i > 0 && name == p.all[i-1].Group {
			p.groups[i] = p.groups[i-1]
			continue
		}
		n, known := numbers[name]
		if !known {
			n = int32(len(numbers))
			numbers[name] = n
		}
		p.groups[i] = n
	}
	p.kinds = len(numbers)
}

// Update handles a key or pasted text.
func (p *Picker) Update(msg tea.Msg) Action {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return p.key(msg)
	case tea.PasteMsg:
		if p.Sure || p.Plain {
			return nil
		}
		p.filter.Insert(msg.Content)
		if p.Field {
			return nil
		}
		p.match()
		return p.Missing()
	}
	return nil
}

// key handles a key: what can be done with the selected row first, then moving, then the filter.
func (p *Picker) key(k tea.KeyPressMsg) Action {
	name := k.String()
	r, selected := p.Selected()
	if act, is := p.offers.press(name, r, selected); is {
		return act
	}
	switch name {
	case "enter", "ctrl+x", "alt+up", "alt+down":
		return p.do(name)
	case "esc":
		if p.Clears && p.filter.String() != "" {
			p.filter.Set("")
			p.match()
			return p.Missing()
		}
	case "left", "right":
		if a, turns := p.turn(map[string]int{"left": -1, "right": 1}[name]); turns {
			return a
		}
	}
	before := p.at
	if !p.move(name) {
		old := p.filter.String()
		if p.Sure || p.Plain || !p.filter.Key(name, keymap.Typed(k)) {
			return Passed{}
		}
		if p.filter.String() == old {
			return nil
		}
		if p.Field {
			return nil
		}
		p.match()
		before = -1
	}
	if p.at == before {
		return nil
	}
	return p.Missing()
}

// do returns what a key does with the selected row.
func (p *Picker) do(key string) Action {
	r, ok := p.Selected()
	switch {
	case !ok:
	case key == "enter" && r.Off != "":
		return Refused{r}
	case key == "enter":
		return Picked{r, p.Typed()}
	case key == "ctrl+x" && p.Drops:
		return Dropped{r}
	case key == "alt+up" && p.Moves:
		return Moved{r, -1}
	case key == "alt+down" && p.Moves:
		return Moved{r, 1}
	}
	return nil
}

// move moves the selection, and reports whether the key does that.
func (p *Picker) move(key string) bool {
	page, last := max(1, p.height-6), max(0, len(p.shown)-1)
	switch key {
	case "up", "ctrl+p":
		p.at = max(0, p.at-1)
	case "down", "ctrl+n":
		p.at = min(last, p.at+1)
	case "pgup":
		p.at = max(0, p.at-page)
	case "pgdown":
		p.at = min(last, p.at+page)
	case "ctrl+home":
		p.at = 0
	case "ctrl+end":
		p.at = last
	default:
		return false
	}
	return true
}

// Missing asks for the preview of the selected row, if there is room for one and it was not asked for.
func (p *Picker) Missing() Action {
	r, ok := p.Selected()
	if !ok || !p.Peeks || r.About != nil || p.previewWidth() == 0 {
		return nil
	}
	if _, known := p.previews[r.ID]; known {
		return nil
	}
	return Peek{r}
}

// Load marks the preview of a row as being loaded. It reports false if the row is no longer selected or has a preview.
func (p *Picker) Load(id string) bool {
	r, ok := p.Selected()
	if _, known := p.previews[id]; !ok || r.ID != id || known {
		return false
	}
	p.previews[id] = Preview{}
	return true
}
