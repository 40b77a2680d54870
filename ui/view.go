package ui

import (
	"math"

	"parley/ui/asking"
	"parley/ui/input"
	"parley/ui/jobs"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/paint"
	"parley/ui/status"
	"parley/ui/style"
	"parley/ui/transcript"
	"parley/ui/welcome"
	"parley/ui/work"
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
	covers   *covers
	current  *current
	choices  *choices
	asks     *asking.Model
	sessions *sessions
	reader   *reader
	changes  *fileChanges
	jobs     *jobs.Model
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
	switch {
	case v.covers.signIn != nil:
		f.Rows = v.covers.signIn.Rows(v.screen.width, v.screen.height)
	case v.look.TooSmall():
		f.Rows, cx, cy = v.smallFrame()
	case v.covers.list != nil:
		f.Rows, cx, cy = v.covers.list.Rows(v.screen.width, v.covers.listHeight(), v.notices.Text())
	case v.covers.changes != nil:
		f.Rows = v.changes.rows(v.screen.width, v.screen.cover())
	case v.covers.work != nil:
		f.Rows, cx, cy = v.covers.work.Rows(v.screen.width, v.screen.cover(), work.Foot{Notice: v.notices.Text(), Warn: v.notices.Warns(), Asks: len(v.conv.Transcript().Asks) > 0})
	case v.covers.hand != nil:
		f.Rows, cx, cy = v.covers.hand.Rows(v.screen.width, v.screen.cover())
	case v.covers.aside != nil:
		f.Rows, cx, cy = v.covers.aside.Rows(v.screen.width, v.screen.cover()), -1, -1
	case v.covers.help != nil:
		f.Rows, cx, cy = v.covers.help.Rows(v.screen.width, v.screen.cover())
	case v.opts.Appearance.Inline && !v.conv.Viewing():
		f.Above, f.Rows, cx, cy = v.inlineChat()
		f.Above = v.look.PlainRows(f.Above)
	default:
		f.Rows, cx, cy = v.chat()
	}
	if v.opts.Appearance.Inline {
		if v.covers.covered() && v.covers.signIn == nil && !v.look.TooSmall() { // a rule separates it from the scrollback
			f.Rows, cy = append([]string{v.look.Theme.Dim.Of(style.Rule(v.screen.width))}, f.Rows...), cy+1
		}
		f.Rows = f.Rows[:max(len(trimBlank(f.Rows)), min(len(f.Rows), cy+1))]
	}
	f.Rows = v.look.PlainRows(f.Rows)
	if cx >= 0 && cy >= 0 {
		f.Cursor, f.CursorVisible = paint.Pos{X: cx, Y: cy}, true
		f.CursorShape = v.cursorShape()
	}
	return f
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
	rows = append(rows, v.input.AttachedRows(w, r.Attached, v.jobs.RunningShell())...)
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
	case v.covers.list != nil, v.conv.Finding(), v.asks.Ask.HasKeyboard():
		return input.Bar
	}
	return shape
}

// want returns how many rows the parts need now.
func (v *view) want() status.Wants {
	w := status.Wants{Tasks: v.reader.tasks.Want(v.conv.Transcript().Todos, v.conv.Running() != nil), Queue: len(v.conv.Transcript().Queue),
		Popup: v.input.WantList(), Attached: v.input.WantAttached(v.jobs.RunningShell())}
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
