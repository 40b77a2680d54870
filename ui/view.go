package ui

import (
	"math"
	"strings"

	"parley/ui/input"
	questions "parley/ui/question/view"

	"parley/ui/install"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/paint"
	"parley/ui/panel"
	"parley/ui/shell"
	"parley/ui/status"
	"parley/ui/style"
	"parley/ui/transcript"
	"parley/ui/welcome"
)

// view draws frames from the components.
type view struct {
	opts     *Options
	look     *style.Look
	keys     *keymap.Map
	conv     *transcript.Model
	input    *input.Model
	notices  *notice.Model
	screen   *screen
	stack    *panel.Stack
	current  *current
	choices  *choices
	asks     *questions.Asks
	sessions *switcher
	reader   *reader
	open     unaccepted
	shell    *shell.Model
	install  *install.Model
	terminal *terminal
	spin     *spin
	greeting *welcome.Greeting
	status   *statusRows
}

// draw draws a frame. Nothing else does.
func (v *view) draw(when paint.Urgency) {
	v.screen.dirty = false
	if v.screen.width <= 0 || v.screen.height <= 0 {
		return
	}
	v.screen.counts.Frames++
	f := v.frame()
	v.screen.painter.Draw(f, when)
	if v.asks.Shown() {
		v.asks.Ask.Drawn()
	}
}

// frame makes the whole screen.
func (v *view) frame() paint.Frame {
	f := paint.Frame{Title: v.terminal.title()}
	cx, cy := -1, -1
	inline := v.opts.Appearance.Inline
	switch {
	case v.tooSmall():
		f.Rows, cx, cy = v.smallFrame()
	case v.stack.Covered():
		f.Rows, cx, cy = v.cover()
		if inline && v.current.session != nil { // a rule separates it from the scrollback
			f.Rows, cy = append([]string{v.look.Theme.Dim.Of(style.Rule(v.screen.width))}, f.Rows...), cy+1
		}
	case inline && !v.conv.Viewing():
		f.Above, f.Rows, cx, cy = v.inlineChat()
		f.Above = v.look.PlainRows(f.Above)
	default:
		f.Rows, cx, cy = v.chat()
	}
	if inline {
		f.Rows = f.Rows[:max(len(trimBlank(f.Rows)), min(len(f.Rows), cy+1))]
	}
	f.Rows = v.look.PlainRows(f.Rows)
	if cx >= 0 && cy >= 0 {
		f.Cursor, f.CursorVisible = paint.Pos{X: cx, Y: cy}, true
		f.CursorShape = v.cursorShape()
	}
	return f
}

// tooSmall reports whether the window has no room for what is shown. The choices of a user who is not signed in always fit.
func (v *view) tooSmall() bool { return v.look.TooSmall() && v.current.session != nil }

// cover returns what covers the chat: the top panel with the notice in its last rows, and a mark in the first while the agent
// waits for an answer that the panel hides.
func (v *view) cover() (rows []string, cx, cy int) {
	w, h := v.screen.width, v.screen.height
	if v.current.session != nil {
		h = v.screen.cover()
	}
	f := v.stack.Top().Draw(w, h)
	if f.Y < 0 {
		f.X, f.Y = -1, -1
	}
	th, ms := v.look.Theme, v.look.Measure
	if len(v.conv.Transcript().Asks) > 0 && len(f.Rows) > 0 {
		title, _, _ := strings.Cut(strings.TrimLeft(style.Unstyled(f.Rows[0]), " "), "  ")
		f.Rows[0] = "  " + ms.Spread(th.Bold.Of(title), th.Warn.Of("the agent asks · esc"), w-4)
	}
	if text := v.notices.Text(); text != "" && !f.Writes {
		look := style.Style("")
		if v.notices.Warns() {
			text, look = "! "+text, th.Warn
		}
		all := ms.Wrap(text, max(1, w-4))
		all = all[:min(len(all), max(1, min(3, h/4)), len(f.Rows))]
		for i, s := range all {
			f.Rows[len(f.Rows)-len(all)+i] = "  " + look.Of(ms.Clip(s, w-4))
		}
	}
	return f.Rows, f.X, f.Y
}

// chat is the conversation with everything around it.
func (v *view) chat() (rows []string, cx, cy int) {
	w := v.screen.width
	r := status.Divide(v.screen.height, v.want())
	if v.conv.Viewing() {
		rows = append(v.screen.rows[:0], v.conv.Breadcrumb(w))
	} else {
		rows = append(v.screen.rows[:0], v.headerRow())
	}
	for range r.Air {
		rows = append(rows, "")
	}
	v.screen.bodyTop = len(rows)
	v.conv.SetSize(r.Body)
	v.asks.RevealAsked()
	body := v.conv.Rows()
	if len(body) == 0 {
		body = v.greeting.Rows(w, r.Body)
	}
	rows = append(rows, body...)
	for range r.Body - len(body) {
		rows = append(rows, "")
	}
	for range r.Gap {
		rows = append(rows, "")
	}
	return v.lower(rows, r)
}

// lower adds what stands below the conversation: what waits, what runs, what is asked and what is being written.
func (v *view) lower(rows []string, r status.Shares) (all []string, cx, cy int) {
	th, w := v.look.Theme, v.screen.width
	rows = append(rows, v.reader.tasks.Rows(v.look, v.conv.Transcript().Todos, w, r.Tasks)...)
	rows = append(rows, v.pending(r.Queue)...)
	rows = append(rows, v.input.AttachedRows(w, r.Attached, v.shell.RunningCommand())...)
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
	rows = append(rows, v.footer(w))
	v.screen.rows = rows
	return rows, cx, cy
}

// headerRow returns the first row of the chat.
func (v *view) headerRow() string {
	h := v.header()
	row := h.Row(v.look, v.screen.width)
	v.screen.countFrom, v.screen.countTo = h.CountAt(v.look, v.screen.width, row)
	return row
}

// cursorShape returns the shape of the cursor: the user's own without vim's keys.
func (v *view) cursorShape() int {
	shape := v.input.CursorShape()
	switch {
	case shape == 0:
	case v.conv.TakesKeys() && !v.conv.Typing():
		return input.Block
	case v.stack.Covered(), v.conv.Finding(), v.asks.Ask.HasKeyboard():
		return input.Bar
	}
	return shape
}

// want returns how many rows the parts need now.
func (v *view) want() status.Wants {
	w := status.Wants{Tasks: v.reader.tasks.Want(v.conv.Transcript().Todos, v.conv.Running() != nil), Queue: len(v.conv.Transcript().Queue),
		Popup: v.input.WantList(), Attached: v.input.WantAttached(v.shell.RunningCommand())}
	if v.asks.Ask.Open() {
		v.asks.Ask.SetWaiting(len(v.conv.Transcript().Asks))
		w.Ask = v.asks.Ask.Want(v.look.Width, math.MaxInt)
	}
	if v.conv.Viewing() {
		w.Queue, w.Attached, w.Popup, w.Composer = 0, 0, 0, 1
		return w
	}
	v.input.Suggest(v.suggestion())
	w.Composer = v.input.Want(v.screen.width, max(1, v.screen.height/3)) + len(v.status.rows(v.screen.width))
	return w
}
