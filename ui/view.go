package ui

import (
	"cmp"

	"parley/ui/attention"
	"parley/ui/chat"
	"parley/ui/input"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/paint"
	"parley/ui/status"
	"parley/ui/style"
	"parley/ui/transcript"
)

// view makes the frames from what the components are.
type view struct {
	opts     *Options
	work     background
	painter  *paint.Painter
	look     *style.Look
	keys     *keymap.Map
	watch    *attention.Watch
	conv     *transcript.Model
	input    *input.Model
	notices  *notice.Model
	screen   *screen
	covers   *covers
	current  *current
	choices  *choices
	asks     *asks
	prompts  *prompts
	sessions *sessions
	reader   *reader
	jobs     *jobs
	terminal *terminal

	spinner status.Spinner
}

// draw hands the painter a frame. It is the only place where a frame is made.
func (v *view) draw(when paint.Urgency) {
	v.screen.dirty = false
	if v.screen.width <= 0 || v.screen.height <= 0 {
		return
	}
	v.screen.counts.Frames++
	f := v.frame()
	v.painter.Draw(f, when)
	if v.asks.shown() {
		v.asks.ask.Drawn()
	}
}

// promptShown reports whether frames show the prompt just now.
func (as *asks) shown() bool {
	return as.ask.Open() && as.covers.list == nil && as.covers.help == nil && as.covers.signIn == nil && !as.look.TooSmall()
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
	case v.covers.help != nil:
		f.Rows, cx, cy = v.covers.help.Rows(v.screen.width, v.screen.cover())
	case v.opts.Appearance.Inline && !v.conv.Viewing():
		f.Above, f.Rows, cx, cy = v.inlineChat()
		f.Above = v.look.PlainRows(f.Above)
	default:
		f.Rows, cx, cy = v.chat()
	}
	if v.opts.Appearance.Inline {
		if v.covers.signIn == nil && !v.look.TooSmall() && (v.covers.list != nil || v.covers.help != nil) { // told from what stands above
			f.Rows, cy = append([]string{v.look.Theme.Dim.Of(style.Rule(v.screen.width))}, f.Rows...), cy+1
		}
		f.Rows = f.Rows[:max(len(lowered(f.Rows)), min(len(f.Rows), cy+1))]
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
	r := divide(v.screen.height, v.want())
	if v.conv.Viewing() {
		rows = append(v.screen.rows[:0], v.conv.Breadcrumb(w))
	} else {
		rows = append(v.screen.rows[:0], v.headerRow())
	}
	for range r.air {
		rows = append(rows, "")
	}
	v.screen.bodyTop = len(rows)
	v.conv.SetSize(r.body)
	v.asks.revealAsked()
	body := v.conv.Rows()
	rows = append(rows, body...)
	for range r.body - len(body) {
		rows = append(rows, "")
	}
	for range r.gap {
		rows = append(rows, "")
	}
	return v.lower(rows, r)
}

// lower adds what stands below the conversation: what waits, what runs, what is asked and what is being written.
func (v *view) lower(rows []string, r rects) (all []string, cx, cy int) {
	th, w := v.look.Theme, v.screen.width
	rows = append(rows, v.reader.tasks.Rows(v.look, v.conv.Transcript().Todos, w, r.tasks)...)
	rows = append(rows, v.pending(r.pending)...)
	rows = append(rows, v.input.AttachedRows(w, r.along, v.jobs.runningShell())...)
	v.screen.statusTop = len(rows)
	rows = append(rows, v.statusLine(w).Row(v.look, w))
	rule := th.Dim.Of(style.Rule(w))
	cx, cy = v.reader.readCursor()
	if r.prompt > 0 {
		rows = append(rows, rule)
		p, px, py := v.asks.ask.Rows(v.look.Width, r.prompt)
		v.asks.ask.Place(len(rows))
		if py >= 0 {
			cx, cy = px, len(rows)+py
		}
		rows = append(rows, p...)
	}
	if r.popup > 0 {
		rows = append(rows, v.input.ListRows(r.popup)...)
	}
	rows = append(rows, rule)
	if v.conv.Viewing() {
		rows = append(rows, v.reader.viewKeys(w), v.footer(w))
		v.screen.rows = rows
		return rows, cx, cy
	}
	text, tx, ty := v.fieldRows(r.composer)
	if cy < 0 && !v.asks.ask.HasKeyboard() {
		cx, cy = tx, len(rows)+ty
	}
	rows = append(rows, text...)
	rows = append(rows, v.footer(w))
	v.screen.rows = rows
	return rows, cx, cy
}

// header gathers what the first row shows.
func (v *view) header() status.Header {
	s, meta := v.current.settings(), v.current.meta()
	h := status.Header{Agent: v.current.agent(), Version: v.current.version, Model: cmp.Or(s.Model, meta.Model), Effort: s.Effort,
		Branch: cmp.Or(meta.Branch, v.opts.Branch), Demo: v.opts.Demo, Dir: style.ShortPath(v.current.dir(), v.look.Home), Context: chat.ContextOf(v.conv.Transcript(), v.choices.models),
		Quota: chat.QuotaLeft(v.choices.quotas()), Spent: chat.Credits(v.conv.Transcript().NanoAIU)}
	if mod := v.choices.model(""); h.Model == "" && mod != nil {
		h.Model = mod.ID
	}
	return h
}

// headerRow returns the first row of the chat.
func (v *view) headerRow() string {
	h := v.header()
	return h.Row(v.look, v.screen.width)
}

// statusLine gathers what the row above the composer shows in w columns.
func (v *view) statusLine(w int) *status.Line {
	b := &status.Line{Bottom: v.keys.Hint(keymap.Bottom), Notice: v.notices.Text(), Warns: v.notices.Warns(), Spinner: v.spinner.Cell(v.look.Ascii),
		Run: v.run(), Busy: v.sessions.busy, Install: v.jobs.installation()}
	b.Find, _, _ = v.conv.FindBar(w)
	b.Copy, _ = v.conv.CopyBar(w - 4)
	b.More, b.Fresh = v.conv.Below()
	return b
}

// run describes the turn that runs, nil for none.
func (v *view) run() *status.Run {
	turn := v.conv.Running()
	if turn == nil {
		return nil
	}
	t := v.conv.Transcript()
	r := &status.Run{Turn: turn, State: t.Runtime, Asks: len(t.Asks), Working: v.conv.Session().Working(v.look.Now(), v.screen.width), Heard: v.current.heard,
		Runtime: style.Visible(style.OneLine(v.conv.Session().Runtime())), Agent: style.Visible(v.current.agent()), Version: v.current.version,
		Stopping: v.current.stopping, Send: v.keys.Key(keymap.Send), EnterSteers: v.opts.EnterSteers}
	if v.current.steers() {
		r.Steer = v.keys.Key(keymap.Steer)
	}
	if len(t.Asks) > 0 {
		r.Asker = r.Agent
		if c := t.FindChild(t.Asks[0].Head.Child); c != nil && c.Name != "" {
			r.Asker = style.Visible(style.OneLine(c.Name))
		}
	}
	return r
}

// footer returns the last row in w columns.
func (v *view) footer(w int) string {
	f := status.Footer{Mode: v.current.settings().Mode, ModeHint: v.keys.Hint(keymap.Mode), Vim: v.input.VimMode(), Behind: v.conv.Session().Background(),
		Newline: v.keys.Newline(v.screen.kitty), Help: v.keys.Help()}
	if v.input.Begins("!") && !v.input.Begins("!!") && v.jobs.shell.Available() {
		f.Shell = v.keys.Key(keymap.Send)
	}
	if v.reader.inlineHere() {
		h := v.header()
		f.Header = &h
	}
	return f.Row(v.look, w)
}

// pending returns at most limit rows of the prompts that wait to be sent.
func (v *view) pending(limit int) []string {
	q := status.Queue{Prompts: v.conv.Transcript().Queue, Held: v.current.held(), Reclaim: v.input.Empty(), Asked: v.asks.ask.HasKeyboard(), Steered: v.current.steered()}
	return q.Rows(v.look, v.screen.width, limit)
}
