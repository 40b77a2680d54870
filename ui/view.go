package ui

import (
	"cmp"

	"parley/ui/chat"
	"parley/ui/keymap"
	"parley/ui/paint"
	"parley/ui/status"
	"parley/ui/style"
)

// draw hands the painter a frame. It is the only place where a frame is made.
func (m *Model) draw(when paint.Urgency) {
	m.dirty = false
	if m.width <= 0 || m.height <= 0 {
		return
	}
	m.counts.Frames++
	f := m.frame()
	m.painter.Draw(f, when)
	if m.promptShown() {
		m.ask.Drawn()
	}
}

// promptShown reports whether frames show the prompt just now.
func (m *Model) promptShown() bool {
	return m.ask.Open() && m.list == nil && m.help == nil && m.signIn == nil && !m.tooSmall()
}

// frame makes the whole screen.
func (m *Model) frame() paint.Frame {
	f := paint.Frame{Title: m.title()}
	cx, cy := -1, -1
	switch {
	case m.signIn != nil:
		f.Rows = m.signIn.Rows(m.width, m.height)
	case m.tooSmall():
		f.Rows, cx, cy = m.smallFrame()
	case m.list != nil:
		f.Rows, cx, cy = m.list.Rows(m.width, m.listHeight(), m.notices.Text())
	case m.help != nil:
		f.Rows, cx, cy = m.help.Rows(m.width, m.cover())
	case m.opts.Appearance.Inline && !m.conv.Viewing():
		f.Above, f.Rows, cx, cy = m.inlineChat()
		f.Above = m.look.PlainRows(f.Above)
	default:
		f.Rows, cx, cy = m.chat()
	}
	if m.opts.Appearance.Inline {
		if m.signIn == nil && !m.tooSmall() && (m.list != nil || m.help != nil) { // told from what stands above
			f.Rows, cy = append([]string{m.look.Theme.Dim.Of(style.Rule(m.width))}, f.Rows...), cy+1
		}
		f.Rows = f.Rows[:max(len(lowered(f.Rows)), min(len(f.Rows), cy+1))]
	}
	f.Rows = m.look.PlainRows(f.Rows)
	if cx >= 0 && cy >= 0 {
		f.Cursor, f.CursorVisible = paint.Pos{X: cx, Y: cy}, true
		f.CursorShape = m.cursorShape()
	}
	return f
}

// chat is the conversation with everything around it.
func (m *Model) chat() (rows []string, cx, cy int) {
	w := m.width
	r := divide(m.height, m.want())
	if m.conv.Viewing() {
		rows = append(m.rows[:0], m.conv.Breadcrumb(w))
	} else {
		rows = append(m.rows[:0], m.headerRow())
	}
	for range r.air {
		rows = append(rows, "")
	}
	m.bodyTop = len(rows)
	m.conv.SetSize(r.body)
	m.revealAsked()
	body := m.conv.Rows()
	rows = append(rows, body...)
	for range r.body - len(body) {
		rows = append(rows, "")
	}
	for range r.gap {
		rows = append(rows, "")
	}
	return m.lower(rows, r)
}

// lower adds what stands below the conversation: what waits, what runs, what is asked and what is being written.
func (m *Model) lower(rows []string, r rects) (all []string, cx, cy int) {
	th, w := m.look.Theme, m.width
	rows = append(rows, m.tasks.Rows(m.look, m.conv.Transcript().Todos, w, r.tasks)...)
	rows = append(rows, m.pending(r.pending)...)
	rows = append(rows, m.input.AttachedRows(w, r.along, m.runningShell())...)
	m.statusTop = len(rows)
	rows = append(rows, m.statusLine(w).Row(m.look, w))
	rule := th.Dim.Of(style.Rule(w))
	cx, cy = m.readCursor()
	if r.prompt > 0 {
		rows = append(rows, rule)
		p, px, py := m.ask.Rows(m.look.Width, r.prompt)
		m.ask.Place(len(rows))
		if py >= 0 {
			cx, cy = px, len(rows)+py
		}
		rows = append(rows, p...)
	}
	if r.popup > 0 {
		rows = append(rows, m.input.ListRows(r.popup)...)
	}
	rows = append(rows, rule)
	if m.conv.Viewing() {
		rows = append(rows, m.viewKeys(w), m.footer(w))
		m.rows = rows
		return rows, cx, cy
	}
	text, tx, ty := m.fieldRows(r.composer)
	if cy < 0 && !m.ask.HasKeyboard() {
		cx, cy = tx, len(rows)+ty
	}
	rows = append(rows, text...)
	rows = append(rows, m.footer(w))
	m.rows = rows
	return rows, cx, cy
}

// header gathers what the first row shows.
func (m *Model) header() status.Header {
	s, meta := m.settings(), m.meta()
	h := status.Header{Agent: m.agent(), Version: m.version, Model: cmp.Or(s.Model, meta.Model), Effort: s.Effort,
		Branch: cmp.Or(meta.Branch, m.opts.Branch), Demo: m.opts.Demo, Dir: style.ShortPath(m.dir(), m.look.Home), Context: chat.ContextOf(m.conv.Transcript(), m.models),
		Quota: chat.QuotaLeft(m.quotas()), Spent: chat.Credits(m.conv.Transcript().NanoAIU)}
	if mod := m.model(""); h.Model == "" && mod != nil {
		h.Model = mod.ID
	}
	return h
}

// headerRow returns the first row of the chat.
func (m *Model) headerRow() string {
	h := m.header()
	return h.Row(m.look, m.width)
}

// statusLine gathers what the row above the composer shows in w columns.
func (m *Model) statusLine(w int) *status.Line {
	b := &status.Line{Bottom: m.keys.Hint(keymap.Bottom), Notice: m.notices.Text(), Warns: m.notices.Warns(), Spinner: m.spinner.Cell(m.look.Ascii),
		Run: m.run(), Busy: m.busy, Install: m.installation()}
	b.Find, _, _ = m.conv.FindBar(w)
	b.Copy, _ = m.conv.CopyBar(w - 4)
	b.More, b.Fresh = m.conv.Below()
	return b
}

// run describes the turn that runs, nil for none.
func (m *Model) run() *status.Run {
	turn := m.conv.Running()
	if turn == nil {
		return nil
	}
	t := m.conv.Transcript()
	r := &status.Run{Turn: turn, State: t.Runtime, Asks: len(t.Asks), Working: m.conv.Session().Working(m.look.Now(), m.width), Heard: m.heard,
		Runtime: style.Visible(style.OneLine(m.conv.Session().Runtime())), Agent: style.Visible(m.agent()), Version: m.version,
		Stopping: m.stopping, Send: m.keys.Key(keymap.Send), EnterSteers: m.opts.EnterSteers}
	if m.steers() {
		r.Steer = m.keys.Key(keymap.Steer)
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
func (m *Model) footer(w int) string {
	f := status.Footer{Mode: m.settings().Mode, ModeHint: m.keys.Hint(keymap.Mode), Vim: m.input.VimMode(), Behind: m.conv.Session().Background(),
		Newline: m.keys.Newline(m.kitty), Help: m.keys.Help()}
	if m.input.Begins("!") && !m.input.Begins("!!") && m.shell.Available() {
		f.Shell = m.keys.Key(keymap.Send)
	}
	if m.inlineHere() {
		h := m.header()
		f.Header = &h
	}
	return f.Row(m.look, w)
}

// pending returns at most limit rows of the prompts that wait to be sent.
func (m *Model) pending(limit int) []string {
	q := status.Queue{Prompts: m.conv.Transcript().Queue, Held: m.held(), Reclaim: m.input.Empty(), Asked: m.ask.HasKeyboard(), Steered: m.steered()}
	return q.Rows(m.look, m.width, limit)
}
