package chat

import (
	"math"

	"parley/ui/input"
	questions "parley/ui/question/view"

	"parley/ui/install"
	"parley/ui/panel"
	"parley/ui/shell"
	"parley/ui/status"
	"parley/ui/style"
	"parley/ui/welcome"
)

// view draws frames from the components.
type view struct {
	*parts

	current  *current
	choices  *choices
	asks     *questions.Asks
	sessions *switcher
	reader   *reader
	open     unaccepted
	shell    *shell.Model
	install  *install.Model
	spin     *spin
	greeting *welcome.Greeting
	status   *statusRows
}

// Draw makes the frame of the chat. Inline, Above goes into the scrollback.
func (m *Model) Draw(width, height int) panel.Frame {
	m.screen.dirty = false
	return m.view.frame(width, height)
}

// Close loses nothing: what is written is a draft.
func (m *Model) Close() panel.Effect { return nil }

// Recolor discards the layouts of items whose code got its colors.
func (m *Model) Recolor(owners []any) {
	m.conv.Recolor(owners)
	m.screen.touch()
}

// TooSmall reports whether the window has no room for what is shown.
func (m *Model) TooSmall() bool { return m.current.tooSmall() }

// CursorShape returns the shape of the cursor: the user's own without vim's keys.
func (m *Model) CursorShape() int {
	shape := m.input.CursorShape()
	switch {
	case shape == 0:
	case m.covered:
		return input.Bar
	case m.conv.TakesKeys() && !m.conv.Typing():
		return input.Block
	case m.conv.Finding(), m.asks.Ask.HasKeyboard():
		return input.Bar
	}
	return shape
}

// frame makes the frame of the chat.
func (v *view) frame(width, height int) (f panel.Frame) {
	switch {
	case v.current.tooSmall():
		f.Rows, f.X, f.Y = v.smallFrame(width, height)
	case v.opts.Appearance.Inline && !v.conv.Viewing():
		f.Above, f.Rows, f.X, f.Y = v.inlineChat()
	case v.greeting.Shown():
		f.Rows, f.X, f.Y = v.firstPage()
	default:
		f.Rows, f.X, f.Y = v.chat()
	}
	return f
}

// chat is the conversation with everything around it.
func (v *view) chat() (rows []string, cx, cy int) {
	w := v.look.Width
	r := status.Divide(v.look.Height, v.want())
	if v.conv.Viewing() {
		rows = append(v.screen.rows[:0], v.conv.Breadcrumb(w))
	} else {
		rows = append(v.screen.rows[:0], v.headerRow())
	}
	v.screen.tabsTop = -1
	for range r.Air {
		v.screen.tabsTop = len(rows)
		rows = append(rows, v.sessions.tabs.Row(w))
	}
	v.screen.bodyTop = len(rows)
	v.conv.SetSize(r.Body)
	v.asks.RevealAsked()
	body := v.conv.Rows()
	rows = append(rows, body...)
	free := r.Body - len(body)
	if r.Ask == 0 {
		rows, free = padded(rows, free), 0
	}
	return v.lower(padded(rows, r.Gap), r, free)
}

// padded adds so many empty rows.
func padded(rows []string, n int) []string {
	for range n {
		rows = append(rows, "")
	}
	return rows
}

// lower adds what stands below the conversation: what waits, what runs, what is asked and what is being written. The rows that a
// short conversation leaves free stand below all of it while a question is open: it touches what it asks about, and the field touches it.
func (v *view) lower(rows []string, r status.Shares, free int) (all []string, cx, cy int) {
	th, w, footless := v.look.Theme, v.look.Width, v.footless()
	rows = append(rows, v.reader.tasks.Rows(v.look, v.conv.Transcript().Todos, w, r.Tasks)...)
	rows = append(rows, v.pending(r.Queue)...)
	rows = append(rows, v.above().Rows(w, r.Attached)...)
	v.screen.statusTop = len(rows)
	rows = append(rows, v.statusLine(w).Row(v.look, w))
	rule := th.Dim.Of(style.Rule(w))
	cx, cy = v.reader.readCursor()
	if r.Ask > 0 {
		rows = append(rows, rule)
		p, px, py := v.asks.Ask.Rows(v.look.Width, r.Ask)
		v.asks.Ask.Place(len(rows))
		if py >= 0 {
			cx, cy = px, len(rows)+py
		}
		rows = append(rows, p...)
	}
	if !footless {
		rows, free = padded(rows, free), 0
	}
	if r.Popup > 0 {
		rows = append(rows, v.input.ListRows(r.Popup)...)
	}
	rows = append(rows, rule)
	if v.conv.Viewing() {
		rows = append(rows, v.reader.viewKeys(w), v.footer(w))
		v.screen.rows = rows
		return rows, cx, cy
	}
	own := v.status.rows(w)
	if len(own) >= r.Composer { // the field gives nothing away in a low window
		own = nil
	}
	text, tx, ty := v.fieldRows(r.Composer - len(own))
	if cy < 0 && !v.asks.Ask.HasKeyboard() {
		cx, cy = tx, len(rows)+ty
	}
	rows = append(append(rows, text...), own...)
	if v.screen.backgroundTo = 0; !footless {
		rows = append(rows, v.footer(w))
	}
	rows = padded(rows, free)
	v.screen.rows = rows
	return rows, cx, cy
}

// headerRow returns the first row of the chat.
func (v *view) headerRow() string {
	h := v.header()
	row := h.Row(v.look, v.look.Width)
	v.screen.countFrom, v.screen.countTo = h.CountAt(v.look, v.look.Width, row)
	return row
}

// above returns what stands above the field.
func (v *view) above() input.Above { return v.input.Above(v.shell.RunningCommand()) }

// tellTurn gives the question what it shows of its turn, and reports whether it says all there is to say of that.
func (v *view) tellTurn() (quiet bool) {
	key, does, run := "", "", v.run()
	if run != nil && !run.Escapes {
		key, does = run.Stop()
	}
	v.asks.Ask.SetTurn(len(v.conv.Transcript().Asks), key, does)
	return run != nil && run.AsksBelow()
}

// want returns how many rows the parts need now.
func (v *view) want() status.Wants {
	w := status.Wants{Tasks: v.reader.tasks.Want(v.conv.Transcript().Todos, v.conv.Running() != nil), Queue: len(v.conv.Transcript().Queue),
		Popup: v.input.WantList(), Attached: v.above().Want()}
	if v.asks.Ask.Open() {
		w.Quiet = v.tellTurn()
		w.Ask = v.asks.Ask.Want(v.look.Width, math.MaxInt)
		w.Footless = v.footless()
	}
	if v.conv.Viewing() {
		w.Queue, w.Attached, w.Popup, w.Composer = 0, 0, 0, 1
		return w
	}
	v.input.Suggest(v.suggestion())
	w.Composer = v.input.Want(v.look.Width, max(1, v.look.Height/3)) + len(v.status.rows(v.look.Width))
	return w
}
