package transcript

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/style"
)

// Options are the settings of the conversation.
type Options struct {
	Keys *keymap.Map
	// Inline reports that the conversation goes into the terminal's scrollback, where it cannot be scrolled or drawn over.
	Inline bool
	// Mouse reports whether the conversation gets clicks and drags at the start. With KeepSelection a selection is copied by ctrl+c
	// and not when the button is released.
	Mouse, KeepSelection bool
}

// Model is the conversation on the screen: that of a session, or of the child agent that the user looks into. It is used by
// the event loop.
type Model struct {
	win     *window
	finding finding
	copying copyMode
	mouse   mouse
}

// New returns a conversation without a session. It shares the look with the root, which changes it between frames and calls
// Restyle.
func New(l *style.Look, o Options) *Model {
	w := &window{look: l, opts: o, feed: newFeed("", l)}
	return &Model{win: w, finding: finding{win: w}, copying: copyMode{win: w}, mouse: mouse{win: w, on: o.Mouse}}
}

// Show replaces the conversation by the events of a session.
func (m *Model) Show(id session.ID, events []session.Event) {
	w := m.win
	m.finding, m.copying = finding{win: w, stepping: m.finding.stepping, last: m.finding.last}, copyMode{win: w}
	w.feed, w.children, w.chosen = newFeed(id, w.look), nil, false
	w.feed.apply(events)
}

// Ahead is a long conversation that is folded in pieces before it is shown: a key waits for one piece at most.
type Ahead struct {
	feed   *feed
	folded int
}

// Ahead begins to fold a session.
func (m *Model) Ahead(id session.ID) *Ahead { return &Ahead{feed: newFeed(id, m.win.look)} }

// Fold folds up to n more of the session's events, and reports whether some are left.
func (a *Ahead) Fold(events []session.Event, n int) bool {
	more := events[a.folded:min(a.folded+n, len(events))]
	a.feed.apply(more)
	a.folded += len(more)
	return a.folded < len(events)
}

// ShowAhead fills a conversation that was just begun with what was folded.
func (m *Model) ShowAhead(a *Ahead) { m.win.feed = a.feed }

// Apply folds events into the transcript. meta reports whether more than items changed. The command continues an open
// search.
func (m *Model) Apply(events []session.Event) (meta bool, cmd tea.Cmd) {
	meta = m.win.feed.apply(events)
	for _, c := range m.win.children {
		c.follow()
	}
	return meta, m.finding.news()
}

// AskedBelow names the asks whose calls the question below the conversation shows in full: they have no row meanwhile.
func (m *Model) AskedBelow(asks []*session.Ask) {
	m.win.feed.askedBelow(asks)
	for _, c := range m.win.children {
		c.feed.askedBelow(asks)
	}
}

// Transcript returns the session's transcript. Only Apply changes it.
func (m *Model) Transcript() *session.Transcript { return m.win.feed.t }

// Running returns the turn that runs, nil if none does.
func (m *Model) Running() *session.Turn { return m.win.feed.activity.running(m.win.feed.t) }

// Session returns the session's conversation, whatever is on the screen.
func (m *Model) Session() Session { return Session{m.win} }

// Restyle makes all layouts stale because the look has changed.
func (m *Model) Restyle() {
	m.win.feed.restyle()
	for _, c := range m.win.children {
		c.feed.restyle()
	}
}

// Tick updates the rows that count seconds. sends is the key that sends what runs to the background, "" for none: the rows of
// commands name it.
func (m *Model) Tick(sends string) {
	m.win.feed.sends = sends
	m.win.feed.tick()
	if m.Viewing() {
		m.win.on().tick()
	}
}

// Changed reports whether the screen must be drawn because of what was handled since the last call.
func (m *Model) Changed() bool {
	c := m.win.changed
	m.win.changed = false
	return c
}

// Update handles a key for reading, a paste into the search, the mouse, or a [Message]. Rows of the mouse are counted from
// the conversation's first row.
func (m *Model) Update(msg tea.Msg) (Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		if m.finding.open {
			return nil, m.finding.paste(msg.Content)
		}
		if m.copying.on {
			return nil, nil
		}
	case tea.MouseMsg:
		if _, is := msg.(tea.MouseClickMsg); is && msg.Mouse().Button == tea.MouseLeft {
			m.copying.end()
		}
		return m.mouse.handle(msg)
	case pullMsg:
		return nil, m.mouse.pull()
	case findMsg:
		m.finding.stepping = false
		return nil, m.finding.step()
	}
	return passed, nil
}

// TakesKeys reports whether all keys go to the conversation: to the search or the copy mode.
func (m *Model) TakesKeys() bool { return m.finding.open || m.copying.on }

// Reading reports whether the user searches, copies or drags, so that nothing else may take the keyboard.
func (m *Model) Reading() bool { return m.TakesKeys() || m.mouse.dragging }

// Cursor returns the cell of the cursor, counted from the conversation's first row. ok is false if it is not in the
// conversation.
func (m *Model) Cursor() (x, y int, ok bool) {
	switch {
	case m.finding.open && !m.finding.typing:
		return m.finding.cursor()
	case m.copying.on:
		return m.copying.x, m.copying.y, true
	}
	return 0, 0, false
}

// Finding reports whether the search is open.
func (m *Model) Finding() bool { return m.finding.open }

// Typing reports whether keys are written into the search.
func (m *Model) Typing() bool { return m.finding.open && m.finding.typing }

// SetSize sets how many rows the next frame has room for. The width is that of the look.
func (m *Model) SetSize(height int) {
	m.win.room = height
	m.win.on().rows.SetSize(m.win.look.Wide()+style.GutterWidth, height)
}

// Rows returns the visible rows of the conversation with the selection and matches drawn over them. The slice is valid until
// the next call.
func (m *Model) Rows() []string {
	f := m.win.on()
	if f.goes != "" {
		f.goes.show(f)
		f.goes = ""
	}
	f.fresh.note(f.rows, f.list)
	rows := f.rows.Frame()
	m.win.rows = append(m.win.rows[:0], rows...)
	if m.win.remark() {
		m.win.rows = append(m.win.rows[:0], f.rows.Frame()...)
	}
	m.overlay(m.win.rows)
	return m.win.rows
}

// PlainRows returns the visible rows with nothing drawn over them, for a very small window.
func (m *Model) PlainRows() []string {
	f := m.win.on()
	f.fresh.note(f.rows, f.list)
	m.win.rows = append(m.win.rows[:0], f.rows.Frame()...)
	return m.win.rows
}

// Below reports whether the conversation goes on below the window, and how many items there are new.
func (m *Model) Below() (more bool, fresh int) {
	f := m.win.on()
	if f.rows.Following() {
		return false, 0
	}
	fresh = f.rows.Unseen()
	if i, ok := f.rows.FirstUnseen(); ok && fresh <= maxHidden {
		for _, it := range f.list[i:] {
			if !it.state().shown() { // such as an ask that the row of its call shows
				fresh--
			}
		}
	}
	return true, max(0, fresh)
}

// maxHidden is the number of new items up to which those without rows are left out of the count.
const maxHidden = 8

// ScrollHalf moves the window by half its height. It does nothing where the terminal scrolls.
func (m *Model) ScrollHalf(dir int) {
	if !m.win.inline() {
		m.win.on().rows.Scroll(dir * max(1, len(m.win.rows)/2))
	}
}

// Bottom goes to the end of the conversation on the screen.
func (m *Model) Bottom() { m.win.on().rows.Bottom() }

// Follow goes to the end of the session's conversation and marks its last row for the fold key.
func (m *Model) Follow() {
	m.win.chosen = false
	m.win.feed.rows.Bottom()
}
