package transcript

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/scroll"
	"parley/ui/style"
)

// finding is the search in the conversation, folded text included. It starts at the newest match and goes back in time.
type finding struct {
	win    *window
	open   bool
	typing bool // keys write the query; otherwise they go from match to match
	feed   *feed
	finder *scroll.Finder
	input  style.LineInput
	from   scroll.Bookmark // the reader's place before the search
	last   string          // the previous query

	want     int  // direction of the pending step to a match, 0 if none is pending
	stepping bool // a findMsg is pending

	current currentMatch
	holder  item // of the match
	opened  []unfolded
}

// unfolded is an item that was unfolded for the match: its holder, or the group of that.
type unfolded struct {
	item         item
	turned, open bool // as it was
}

// currentMatch is the match that the reader is at, and where it was drawn for a state of the list.
type currentMatch struct {
	found scroll.Found
	ok    bool

	place   matchPlace
	version uint64 // of the item then
	total   int    // matches known then
	size    int    // of the list then
}

// matchPlace is the place where a match is drawn: in the rows of an item from row on.
type matchPlace struct {
	item, row int
	cells     []scroll.Mark
}

// cellsIn returns the cells of the match in a row of an item.
func (p matchPlace) cellsIn(item, row int) (scroll.Mark, bool) {
	if k := row - p.row; item == p.item && k >= 0 && k < len(p.cells) {
		return p.cells[k], true
	}
	return scroll.Mark{}, false
}

const (
	// findBytes is the amount of text that is searched at once. It takes some milliseconds, which a key may have to wait.
	findBytes = 256 << 10
	// findPause lets keys and frames run in between.
	findPause = time.Millisecond
)

// end closes the search. back returns the reader to where the search began.
func (f *finding) end(back bool) {
	if !f.open {
		return
	}
	if back {
		f.refold()
		f.feed.rows.Return(f.from)
	}
	f.feed.finder = nil
	last := f.last
	if q := f.input.String(); q != "" {
		last = q
	}
	*f = finding{win: f.win, stepping: f.stepping, last: last}
}

// key handles a key while the search is open.
func (f *finding) key(s string) (Action, tea.Cmd) {
	switch s {
	case "ctrl+c", "esc":
		f.end(f.typing)
		return nil, nil
	case "enter":
		switch {
		case f.input.String() == "":
			f.end(true)
			return nil, nil
		case f.typing:
			f.typing = false
			return nil, nil
		}
		return nil, f.walk(-1)
	}
	if !f.typing {
		if cmd, done := f.stepKey(s); done {
			return nil, cmd
		}
	}
	switch a := f.win.opts.Keys.Acts[s].Act; {
	case f.typing && f.input.String() == "" && f.last != "" && (a == keymap.Find || s == "up" || s == "ctrl+p"):
		f.input.Set(f.last)
		return nil, f.restart(-1)
	case a == keymap.Find && f.typing, s == "up", s == "ctrl+p":
		return nil, f.walk(-1)
	case s == "down", s == "ctrl+n":
		return nil, f.walk(1)
	}
	return passed, nil
}

// edit handles a key that neither the search nor an action of the conversation handles: it scrolls, or edits the query.
func (f *finding) edit(k tea.KeyPressMsg) (Action, tea.Cmd) {
	s := k.String()
	if action := f.scroll(f.win.opts.Keys.Acts[s].Act); action != passed || !f.typing {
		if action == passed {
			action = nil
		}
		return action, nil
	}
	if before := f.input.String(); f.input.Key(s, keymap.Typed(k)) && f.input.String() != before {
		return nil, f.restart(-1)
	}
	return nil, nil
}

// scroll runs an action that scrolls or folds, except for those whose keys edit the query.
func (f *finding) scroll(a keymap.Action) Action {
	switch a {
	case keymap.Top, keymap.Bottom, keymap.Open:
		return passed
	case keymap.Tasks:
		return Run{keymap.Bound{Act: a}}
	}
	return f.win.act(a)
}

// stepKey handles the keys that go from match to match.
func (f *finding) stepKey(s string) (cmd tea.Cmd, done bool) {
	switch s {
	case "n":
		return f.walk(-1), true
	case "N", "shift+n":
		return f.walk(1), true
	case "q":
		f.end(false)
	case "/":
		f.typing = true
	case "up":
		f.feed.rows.Scroll(-1)
	case "down":
		f.feed.rows.Scroll(1)
	default:
		return nil, false
	}
	return nil, true
}

// paste inserts text into the query.
func (f *finding) paste(text string) tea.Cmd {
	if !f.typing {
		return nil
	}
	f.input.Insert(text)
	return f.restart(-1)
}

// restart searches the query as it is now, from where the reader was, in a direction.
func (f *finding) restart(dir int) tea.Cmd {
	f.refold()
	f.current = currentMatch{}
	f.feed.rows.Return(f.from)
	f.feed.rows.Frame() // the search begins at what the window shows
	q := style.Visible(f.input.String())
	if marks := marksIn(q); marks != f.win.look.Marks {
		f.win.look.Marks = marks
		f.finder.SetQuery("") // other text is searched now: earlier matches do not count
	}
	f.finder.SetQuery(q)
	return f.walk(dir)
}

// walk goes to the next match in a direction: -1 back in time, 1 forward.
func (f *finding) walk(dir int) tea.Cmd {
	f.want = dir
	return f.step()
}

// step searches a part of the conversation and continues with a command.
func (f *finding) step() tea.Cmd {
	if !f.open || f.finder.Query() == "" {
		f.want = 0
		return nil
	}
	f.win.changed = true
	if f.want != 0 {
		found, ok, more := f.finder.Walk(f.want, findBytes)
		if !more {
			f.want = 0
		}
		if ok {
			f.show(found)
		}
	} else {
		f.finder.Step(findBytes)
		f.recount()
	}
	if _, all := f.finder.Count(); all && f.want == 0 || f.stepping {
		return nil
	}
	f.stepping = true
	return tea.Tick(findPause, func(time.Time) tea.Msg { return findMsg{} })
}

// news searches new items.
func (f *finding) news() tea.Cmd {
	if f.open && !f.stepping {
		return f.step()
	}
	return nil
}

// recount updates the number of the current match.
func (f *finding) recount() {
	if f.current.ok {
		f.current.found, f.current.ok = f.finder.Current()
	}
}

// show reveals a match and unfolds the item that holds it, with its group. What was unfolded for another match is folded
// again.
func (f *finding) show(found scroll.Found) {
	f.current.found, f.current.ok = found, true
	it := f.feed.list[found.Item]
	if f.holder != it {
		f.refold()
	}
	f.holder = it
	if it.state().tucked {
		f.unfold(f.feed.rowOf(found.Item))
	}
	c := f.feed.rows.Item(found.Item).(*cell)
	shown, _ := c.words()
	if found.From > len(shown) && it.foldable() && !it.state().isOpen() {
		f.unfold(found.Item)
	}
	f.look()
	f.feed.rows.RevealRow(found.Item, f.current.place.row)
}

// look computes where the match is drawn.
func (f *finding) look() {
	i := f.current.found.Item
	c := f.feed.rows.Item(i).(*cell)
	row, cells := f.finder.Place(i, f.current.found.Nth, readingOf(f.win.look))
	if text := c.Text(); len(cells) == 0 && len(text) > 0 && f.current.found.From > 0 {
		// The match, or one before it, is in text that is not drawn: guess the row.
		row = f.current.found.From * len(c.cached().rows) / len(text)
	}
	f.current.place, f.current.version, f.current.size = matchPlace{i, row, cells}, c.Version(), f.feed.rows.Len()
	f.current.total, _ = f.finder.Count()
}

// at returns where the current match is drawn now.
func (f *finding) at() matchPlace {
	list := f.feed.rows
	if n, _ := f.finder.Count(); f.current.ok && (n != f.current.total || list.Len() != f.current.size || list.Item(f.current.found.Item).Version() != f.current.version) {
		f.recount()
		if f.current.ok {
			f.look()
		}
	}
	if !f.current.ok {
		return matchPlace{item: -1}
	}
	return f.current.place
}

// cursor returns the cell of the current match; ok is false if it is not on the screen.
func (f *finding) cursor() (x, y int, ok bool) {
	at := f.at()
	for y := range f.win.rows {
		if i, row, ok := f.win.on().rows.ItemAt(y); ok && i == at.item && row == at.row && len(at.cells) > 0 {
			return at.cells[0].From, y, true
		}
	}
	return 0, 0, false
}

// unfold opens the item at a position for a match.
func (f *finding) unfold(i int) {
	s := f.feed.list[i].state()
	f.opened = append(f.opened, unfolded{f.feed.list[i], s.turned, s.open})
	f.feed.unfold(i, true)
}

// refold folds what was unfolded for a match, unless the user has folded it.
func (f *finding) refold() {
	for _, was := range f.opened {
		if s := was.item.state(); s.open {
			f.feed.unfold(f.feed.position(was.item), false)
			s.turned, s.open = was.turned, was.open
		}
	}
	f.opened, f.holder = nil, nil
}
