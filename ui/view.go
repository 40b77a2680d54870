package ui

import (
	"parley/ui/chat"
	"parley/ui/paint"
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
		m.prompt.Drawn()
	}
}

// promptShown reports whether frames show the prompt just now.
func (m *Model) promptShown() bool {
	return m.prompt.Open() && m.picker == nil && !m.help && m.firstRun == nil && !m.tooSmall()
}

// frame makes the whole screen.
func (m *Model) frame() paint.Frame {
	f := paint.Frame{Title: m.title()}
	cx, cy := -1, -1
	switch {
	case m.firstRun != nil:
		f.Rows = m.firstRun.view(m.look, m.width)
	case m.tooSmall():
		f.Rows, cx, cy = m.smallFrame()
	case m.picker != nil:
		f.Rows, cx, cy = m.picker.Rows(m.width, m.pickerHeight(), m.notices.Text())
	case m.help:
		f.Rows = helpView(m.look, m.keys, m.width, m.cover(), m.helpTop)
	case m.opts.Appearance.Inline && !m.conv.Viewing():
		f.Above, f.Rows, cx, cy = m.inlineChat()
		f.Above = m.look.PlainRows(f.Above)
	default:
		f.Rows, cx, cy = m.chat()
	}
	if m.opts.Appearance.Inline {
		if m.firstRun == nil && !m.tooSmall() && (m.picker != nil || m.help) { // told from what stands above
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
	rows = append(rows, m.taskRows(r.tasks)...)
	rows = append(rows, m.pending(r.pending)...)
	rows = append(rows, m.input.AttachedRows(w, r.along, m.runningShell())...)
	m.statusTop = len(rows)
	rows = append(rows, m.statusLine(w))
	rule := th.Dim.Of(style.Rule(w))
	cx, cy = m.readCursor()
	if r.prompt > 0 {
		rows = append(rows, rule)
		p, px, py := m.prompt.Rows(m.look.Width, r.prompt)
		m.prompt.Place(len(rows))
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
	if cy < 0 && !m.prompt.HasKeyboard() {
		cx, cy = tx, len(rows)+ty
	}
	rows = append(rows, text...)
	rows = append(rows, m.footer(w))
	m.rows = rows
	return rows, cx, cy
}

// headerInfo gathers what the first row says.
func (m *Model) headerInfo() headerInfo {
	s := m.settings()
	h := headerInfo{agent: m.agent(), version: m.version, model: s.Model, effort: s.Effort, branch: m.opts.Branch, demo: m.opts.Demo,
		dir: style.ShortPath(m.dir(), m.look.Home), context: m.context()}
	meta := m.meta()
	if meta.Branch != "" {
		h.branch = meta.Branch
	}
	if h.model == "" {
		h.model = meta.Model
	}
	if h.model == "" {
		if mod := m.model(""); mod != nil {
			h.model = mod.ID
		}
	}
	h.quota, h.spent = chat.QuotaLeft(m.quotas()), chat.Credits(m.conv.Transcript().NanoAIU)
	return h
}

// pending are the prompts that wait to be sent, as far as there is room.
func (m *Model) pending(limit int) []string {
	var rows []string
	q := m.conv.Transcript().Queue
	th, ms := m.look.Theme, m.look.Measure
	for i, p := range q {
		if len(rows) == limit {
			break
		}
		text := style.Visible(style.OneLine(p.Text))
		hint := ""
		switch {
		case len(rows) == limit-1 && i < len(q)-1:
			text, hint = "… "+style.Group(len(q)-i)+" more queued", ""
		case i == len(q)-1 && m.input.Empty() && m.held():
			hint = "waits · enter sends it · ↑ takes it back"
		case i == len(q)-1 && m.input.Empty() && !m.prompt.HasKeyboard(): // the arrows are the question's otherwise
			hint = "queued · ↑ takes it back"
		case i == 0 && len(q) > 1 && m.width >= 60:
			hint = "queued · /queue changes the order"
		default:
			hint = "queued"
		}
		if hint != "" && m.joins(p.ID) {
			hint = "goes in at the agent's next step"
		}
		rows = append(rows, "  "+ms.Spread(th.Dim.Of("> "+ms.Clip(text, m.width-8-ms.Width(hint))), th.Dim.Of(hint), m.width-4))
	}
	return rows
}
