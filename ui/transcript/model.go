package transcript

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/scroll"
	"parley/ui/style"
)

// Options are the settings of the conversation. They do not change.
type Options struct {
	Keys *keymap.Map
	// Inline reports that the conversation goes into the terminal's scrollback, where it cannot be scrolled or drawn over.
	Inline bool
	// Mouse reports that clicks and drags are ours at the start. KeepSelection leaves copying a selection to ctrl+c.
	Mouse, KeepSelection bool
}

// Model is the conversation on the screen: that of a session, or that of the child agent which is looked into. It belongs to
// the event loop.
type Model struct {
	look     *style.Look
	opts     Options
	feed     *feed        // of the session
	children []*childView // looked into, the innermost last
	chosen   bool         // the mark of the fold key was moved by hand

	rows []string // of the last frame
	room int      // rows that it had room for

	finding finding
	copying copyMode
	mouse   mouse
	changed bool
}

// New returns a conversation without a session. The look is shared with the root, which changes it between frames and then
// calls Restyle.
func New(l *style.Look, o Options) *Model {
	return &Model{look: l, opts: o, feed: newFeed("", l), mouse: mouse{on: o.Mouse}}
}

// Show shows the events of a session and nothing of what was shown before.
func (m *Model) Show(id session.ID, events []session.Event) {
	m.finding, m.copying = finding{stepping: m.finding.stepping, last: m.finding.last}, copyMode{}
	m.feed, m.children, m.chosen = newFeed(id, m.look), nil, false
	m.feed.apply(events)
}

// Apply folds events into the transcript. It reports whether anything but items changed. The search is continued by a
// command.
func (m *Model) Apply(events []session.Event) (meta bool, cmd tea.Cmd) {
	meta = m.feed.apply(events)
	for _, c := range m.children {
		c.follow()
	}
	return meta, m.finding.news(m)
}

// Transcript returns the session's transcript. Only Apply changes it.
func (m *Model) Transcript() *session.Transcript { return m.feed.t }

// Running returns the turn that runs, nil if none does.
func (m *Model) Running() *session.Turn { return m.feed.running() }

// Runtime returns the detail that the agent's runtime last reported, not made visible.
func (m *Model) Runtime() string { return m.feed.runtime }

// Background returns the number of child agents that work in the background.
func (m *Model) Background() int { return m.feed.runningChildren() }

// Restyle makes all items be laid out again after the look has changed.
func (m *Model) Restyle() {
	m.feed.restyle()
	for _, c := range m.children {
		c.feed.restyle()
	}
}

// Tick updates the rows that count seconds.
func (m *Model) Tick() {
	m.feed.tick()
	if m.Viewing() {
		m.on().tick()
	}
}

// Changed reports whether the screen has to be drawn because of what was handled since the last call.
func (m *Model) Changed() bool {
	c := m.changed
	m.changed = false
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
			return nil, m.finding.paste(m, msg.Content)
		}
		if m.copying.on {
			return nil, nil
		}
	case tea.MouseMsg:
		return m.mouse.handle(m, msg)
	case pullMsg:
		return nil, m.mouse.pull(m)
	case findMsg:
		m.finding.stepping = false
		return nil, m.finding.step(m)
	}
	return passed, nil
}

// TakesKeys reports whether all keys go to the conversation: to the search or the copy mode.
func (m *Model) TakesKeys() bool { return m.finding.open || m.copying.on }

// Reading reports whether the user is reading, so that nothing else may take the keyboard.
func (m *Model) Reading() bool { return m.TakesKeys() || m.mouse.dragging }

// Cursor returns the cell of the cursor, counted from the conversation's first row. ok is false if it is not in the
// conversation.
func (m *Model) Cursor() (x, y int, ok bool) {
	switch {
	case m.finding.open && !m.finding.typing:
		return m.finding.cursor(m)
	case m.copying.on:
		return m.copying.x, m.copying.y, true
	}
	return 0, 0, false
}

// Finding reports whether the search is open.
func (m *Model) Finding() bool { return m.finding.open }

// Typing reports whether keys are written into the search.
func (m *Model) Typing() bool { return m.finding.open && m.finding.typing }

// on returns the feed on the screen: that of the child looked into, else that of the session.
func (m *Model) on() *feed {
	if n := len(m.children); n > 0 {
		return m.children[n-1].feed
	}
	return m.feed
}

// inline reports whether the conversation on the screen is the terminal's.
func (m *Model) inline() bool { return m.opts.Inline && !m.Viewing() }

// SetSize sets how many rows the next frame has room for. The width is that of the look.
func (m *Model) SetSize(height int) {
	m.room = height
	m.on().rows.SetSize(m.look.Inner()+style.GutterWidth, height)
}

// Rows returns the rows of the conversation, no more than there is room for, with what is drawn over them. The slice
// belongs to the conversation and holds until the next call.
func (m *Model) Rows() []string {
	f := m.on()
	f.noteFresh()
	rows := f.rows.Frame()
	m.rows = append(m.rows[:0], rows...)
	if m.remark() {
		m.rows = append(m.rows[:0], f.rows.Frame()...)
	}
	m.overlay(m.rows)
	return m.rows
}

// PlainRows returns the rows without what is drawn over them, for a window that is too small for more.
func (m *Model) PlainRows() []string {
	f := m.on()
	f.noteFresh()
	m.rows = append(m.rows[:0], f.rows.Frame()...)
	return m.rows
}

// Below reports whether there is more of the conversation below the window, and how many items of it are new.
func (m *Model) Below() (more bool, fresh int) {
	f := m.on()
	if f.rows.Following() {
		return false, 0
	}
	fresh = f.rows.Unseen()
	if i, ok := f.rows.FirstUnseen(); ok && fresh <= mostHidden {
		for _, it := range f.list[i:] {
			if it.state().hidden { // such as an ask that the row of its call shows
				fresh--
			}
		}
	}
	return true, max(0, fresh)
}

// mostHidden is the number of new items up to which those without rows are looked for.
const mostHidden = 8

// Scroll moves the window by rows, down if they are positive.
func (m *Model) Scroll(rows int) { m.on().rows.Scroll(rows) }

// ScrollHalf moves the window by half its height. It does nothing where the terminal scrolls.
func (m *Model) ScrollHalf(dir int) {
	if !m.inline() {
		m.Scroll(dir * max(1, len(m.rows)/2))
	}
}

// ScrollSession moves the window on the session's conversation, whatever is on the screen.
func (m *Model) ScrollSession(rows int) { m.feed.rows.Scroll(rows) }

// Bottom goes to the end of what is on the screen.
func (m *Model) Bottom() { m.on().rows.Bottom() }

// SessionBottom goes to the end of the session's conversation, whatever is on the screen.
func (m *Model) SessionBottom() { m.feed.rows.Bottom() }

// Follow goes to the end of the session's conversation and marks its last row for the fold key.
func (m *Model) Follow() {
	m.chosen = false
	m.feed.rows.Bottom()
}

// TopTurn returns the turn at the top of the window on the session's conversation, "" if the window follows the end.
func (m *Model) TopTurn() session.TurnID {
	f, at := m.feed, session.TurnID("")
	if i, _, ok := f.rows.ItemAt(0); ok && !f.rows.Following() {
		for n, first := range f.first {
			if first <= i {
				at = f.t.Turns[n].ID
			}
		}
	}
	return at
}

// Reveal brings the item that shows an open ask onto the screen, if the reader is at the end: its first row, or row if that
// would be below the window. It reports whether that left the end.
func (m *Model) Reveal(ask *session.Ask, row int) (left bool) {
	f := m.feed
	if !f.rows.Following() {
		return false
	}
	for i := len(f.list) - 1; i >= 0; i-- {
		if it := f.list[i]; !it.state().hidden && it.openAsk() == ask {
			f.rows.Reveal(i)
			if row >= m.room {
				f.rows.RevealRow(i, row) // the context of a change matters less than the change
			}
			return !f.rows.Following()
		}
	}
	return false
}

// window returns the list on the screen.
func (m *Model) window() *scroll.List { return m.on().rows }
