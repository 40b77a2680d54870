package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/scroll"
	"parley/ui/style"
)

// finding is looking for a text in the conversation: in all of it, also in what is folded away. The newest match comes
// first, and from there it goes back in time.
type finding struct {
	open   bool
	typing bool // the keys write the text; otherwise they go from match to match
	feed   *feed
	finder *scroll.Finder
	input  style.LineInput
	from   scroll.Bookmark // where the reader was before

	want     int  // the direction of a step to a match that is under way, 0 if none is
	stepping bool // a findMsg is under way

	match   scroll.Found // the reader is at, if matched
	matched bool
	version uint64 // of the item when its place was looked up
	total   int    // matches known then
	size    int    // of the list then
	place   matchPlace
	opened  item // was unfolded for the match; nil if none was
	folded  itemState
}

// matchPlace is where a match is drawn: in so many rows of an item, from one on.
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

// findMsg goes on with a search that is too long for one frame.
type findMsg struct{}

const (
	// findBytes is how much text is searched at once: some milliseconds, so that no key has to wait for longer.
	findBytes = 256 << 10
	// findPause lets keys and frames come between.
	findPause = time.Millisecond
)

// find opens the search, or takes its text to be written again.
func (m *Model) find() tea.Cmd {
	f := &m.finding
	if f.open {
		f.typing = true
		return nil
	}
	on := m.on()
	walked := m.endWalk()
	*f = finding{open: true, typing: true, feed: on, finder: scroll.NewFinder(on.rows), from: on.rows.Bookmark(), stepping: f.stepping}
	on.finder = f.finder
	on.sel.Clear()
	return tea.Batch(walked, m.resetPrompt())
}

// endFind closes the search. back takes the reader to where it began.
func (m *Model) endFind(back bool) tea.Cmd {
	f := &m.finding
	if !f.open {
		return nil
	}
	if back {
		f.refold()
		f.feed.rows.Return(f.from)
	}
	f.feed.finder = nil
	if q := f.input.String(); q != "" {
		m.lastFind = q
	}
	*f = finding{stepping: f.stepping}
	return m.resetPrompt()
}

// findAgain looks once more for what was looked for last, from what is on the screen on in a direction.
func (m *Model) findAgain(dir int) tea.Cmd {
	if m.lastFind == "" && !m.inlineHere() {
		m.say("nothing was looked for yet", false)
		return nil
	}
	cmd, _ := m.readAct(keymap.Find)
	if !m.finding.open {
		return cmd
	}
	m.finding.typing = false
	m.finding.input.Set(m.lastFind)
	return tea.Batch(cmd, m.findFrom(dir))
}

// findKey handles a key while the search is open.
func (m *Model) findKey(k tea.KeyPressMsg) tea.Cmd {
	f, s := &m.finding, k.String()
	switch s {
	case "ctrl+c":
		return m.endFind(f.typing)
	case "enter":
		switch {
		case f.input.String() == "":
			return m.endFind(true)
		case f.typing:
			f.typing = false
			return nil
		}
		return m.toMatch(-1)
	case "esc":
		return m.endFind(f.typing)
	}
	if !f.typing {
		switch s {
		case "n":
			return m.toMatch(-1)
		case "N", "shift+n":
			return m.toMatch(1)
		case "q":
			return m.endFind(false)
		case "/":
			f.typing = true
			return nil
		case "up":
			f.feed.rows.Scroll(-1)
			return nil
		case "down":
			f.feed.rows.Scroll(1)
			return nil
		}
	}
	switch a := m.keys.Acts[s].Act; {
	case f.typing && f.input.String() == "" && m.lastFind != "" && (a == keymap.Find || s == "up" || s == "ctrl+p"):
		f.input.Set(m.lastFind)
		return m.findAnew()
	case a == keymap.Find && f.typing:
		return m.toMatch(-1)
	case s == "up", s == "ctrl+p":
		return m.toMatch(-1)
	case s == "down", s == "ctrl+n":
		return m.toMatch(1)
	default:
		if cmd, done := m.readAct(a); done {
			return cmd
		}
		if a != keymap.Top && a != keymap.Bottom && a != keymap.Open && m.scrollAct(a) || !f.typing {
			return nil
		}
	}
	if before := f.input.String(); f.input.Key(k.String(), keymap.Typed(k)) && f.input.String() != before {
		return m.findAnew()
	}
	return nil
}

// findPaste adds pasted text to what is looked for.
func (m *Model) findPaste(text string) tea.Cmd {
	if !m.finding.typing {
		return nil
	}
	m.finding.input.Insert(text)
	return m.findAnew()
}

// findAnew looks for what is written now, from where the reader was.
func (m *Model) findAnew() tea.Cmd { return m.findFrom(-1) }

// findFrom is findAnew in a direction.
func (m *Model) findFrom(dir int) tea.Cmd {
	f := &m.finding
	f.refold()
	f.matched, f.place, f.match = false, matchPlace{}, scroll.Found{}
	f.feed.rows.Return(f.from)
	f.feed.rows.Frame() // what the window shows is where it begins
	q := style.Visible(f.input.String())
	if marks := marksIn(q); marks != m.look.Marks {
		m.look.Marks = marks
		f.finder.SetQuery("") // other text is searched, so that what was found before says nothing
	}
	f.finder.SetQuery(q)
	return m.toMatch(dir)
}

// toMatch goes to the next match in a direction: -1 back in time, 1 on.
func (m *Model) toMatch(dir int) tea.Cmd {
	m.finding.want = dir
	return m.findStep()
}

// findStep searches a part, and goes on later if that was not all.
func (m *Model) findStep() tea.Cmd {
	f := &m.finding
	if !f.open || f.finder.Query() == "" {
		f.want = 0
		return nil
	}
	m.touch()
	if f.want != 0 {
		found, ok, more := f.finder.Walk(f.want, findBytes)
		if !more {
			f.want = 0
		}
		if ok {
			f.show(found, m.look)
		}
	} else {
		f.finder.Step(findBytes)
		f.recount()
	}
	if _, all := f.finder.Count(); all && f.want == 0 || f.stepping {
		return nil
	}
	f.stepping = true
	return m.after(findPause, findMsg{})
}

// findOn goes on with the search after a pause.
func (m *Model) findOn() tea.Cmd {
	m.finding.stepping = false
	return m.findStep()
}

// findNews looks at what has come since.
func (m *Model) findNews() tea.Cmd {
	if f := &m.finding; f.open && !f.stepping {
		return m.findStep()
	}
	return nil
}

// recount brings the number of the match up to date with what is known by now.
func (f *finding) recount() {
	if f.matched {
		f.match, f.matched = f.finder.Current()
	}
}

// show takes the reader to a match and unfolds what holds it. What was unfolded for another one is folded again.
func (f *finding) show(found scroll.Found, l *style.Look) {
	f.match, f.matched = found, true
	it := f.feed.list[found.Item]
	if f.opened != nil && f.opened != it {
		f.refold()
	}
	c := f.feed.rows.Item(found.Item).(*cell)
	shown, _ := c.words()
	if s := it.state(); found.From > len(shown) && it.foldable() && !s.isOpen(false) {
		f.opened, f.folded = it, *s
		s.open, s.turned = true, true
		f.feed.renew(it)
	}
	f.look(l)
	f.feed.rows.RevealRow(found.Item, f.place.row)
}

// look finds out where the match is drawn.
func (f *finding) look(l *style.Look) {
	i := f.match.Item
	c := f.feed.rows.Item(i).(*cell)
	row, cells := f.finder.Place(i, f.match.Nth, readingOf(l))
	if text := c.Text(); len(cells) == 0 && len(text) > 0 && f.match.From > 0 {
		// It stands in marks that are not drawn, or other matches do: about there.
		row = f.match.From * len(c.kept().rows) / len(text)
	}
	f.place, f.version, f.size = matchPlace{i, row, cells}, c.Version(), f.feed.rows.Len()
	f.total, _ = f.finder.Count()
}

// matchAt is where the match that the reader is at is drawn now.
func (m *Model) matchAt() matchPlace {
	f := &m.finding
	list := f.feed.rows
	if n, _ := f.finder.Count(); f.matched && (n != f.total || list.Len() != f.size || list.Item(f.match.Item).Version() != f.version) {
		f.recount()
		if f.matched {
			f.look(m.look)
		}
	}
	if !f.matched {
		return matchPlace{item: -1}
	}
	return f.place
}

// matchCursor is where on the screen the match is that the reader is at; the beginning of the search's own row if it is
// not on it.
func (m *Model) matchCursor() (x, y int) {
	at := m.matchAt()
	for y := range m.bodyRows {
		if i, row, ok := m.on().rows.ItemAt(y); ok && i == at.item && row == at.row && len(at.cells) > 0 {
			return at.cells[0].From, m.bodyTop + y
		}
	}
	return 0, m.statusTop
}

// refold folds again what was unfolded for a match, unless the user has turned it since.
func (f *finding) refold() {
	it := f.opened
	f.opened = nil
	if it == nil || !it.state().open {
		return
	}
	it.state().open, it.state().turned = f.folded.open, f.folded.turned
	f.feed.renew(it)
}

// findBar is the row that says what is looked for and how many there are, with the column of the cursor in it, -1 if the
// keys write nothing.
func (m *Model) findBar(w int) (row string, cx int) {
	f, th, ms := &m.finding, m.look.Theme, m.look.Measure
	right := ""
	if f.finder.Query() != "" {
		n, all := f.finder.Count()
		switch {
		case n == 0 && all:
			right = th.Warn.Of("not found")
		case f.matched:
			right = style.Group(f.match.Number) + " of " + style.Group(n)
		default:
			right = style.Group(n)
		}
		if !all {
			right += "…"
		}
	}
	if f.typing && f.input.String() == "" && m.lastFind != "" {
		right = th.Dim.Of("↑ " + ms.Clip(style.Visible(m.lastFind), 20) + " again")
	}
	hints := []string{" · ↑ ↓ · enter keeps · esc goes back", " · esc goes back", " · esc", ""}
	if !f.typing {
		hints = []string{" · n before · N after · / changes · esc closes", " · n N · esc closes", " · n N esc", ""}
	}
	label, room := "find ", 12
	for _, h := range hints {
		if ms.Width(right+h)+ms.Width(label)+room+5 <= w {
			right += th.Dim.Of(h)
			break
		}
	}
	text, at := f.input.View(ms, max(4, w-5-ms.Width(label)-ms.Width(right)))
	cx = -1
	if f.typing {
		cx = 2 + ms.Width(label) + at
	}
	return "  " + ms.Spread(th.Accent.Of(label)+text, right, w-4), cx
}
