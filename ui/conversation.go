package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/clipboard"
	"parley/ui/input"
	"parley/ui/keymap"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/paint"
	"parley/ui/status"
	"parley/ui/style"
	"parley/ui/transcript"
)

// reader stands between the conversation and the rest of the screen: keys, the mouse, copying.
type reader struct {
	opts    *Options
	work    background
	painter *paint.Painter
	look    *style.Look
	keys    *keymap.Map
	conv    *transcript.Model
	input   *input.Model
	notices *notice.Model
	screen  *screen
	covers  *covers
	current *current
	asks    *asks

	inl   *transcript.Scrollback
	tasks status.Tasks
}

// This file is between the conversation and the rest of the screen.

// converse hands the conversation a message. handled is false for a key or a paste that is not for it.
func (r *reader) converse(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	took := r.conv.TakesKeys()
	action, cmd := r.conv.Update(msg)
	return r.follow(took, action, cmd)
}

// follow carries out what the conversation asks for. took reports whether it took the keys before.
func (r *reader) follow(took bool, action transcript.Action, cmd tea.Cmd) (_ tea.Cmd, handled bool) {
	if r.conv.Changed() {
		r.screen.touch()
	}
	if r.conv.TakesKeys() != took {
		cmd = tea.Batch(cmd, r.asks.reset())
	}
	done := r.carryOut(action)
	if _, passed := action.(transcript.Passed); passed {
		return cmd, false
	}
	return tea.Batch(cmd, done), true
}

// carryOut does what only the root can do.
func (r *reader) carryOut(action transcript.Action) tea.Cmd {
	switch a := action.(type) {
	case transcript.Copy:
		return r.copyText(a.What, a.Text)
	case transcript.PickCode:
		r.covers.open(lists.Code{Blocks: a.Blocks}, "")
	case transcript.Say:
		r.notices.Info(a.Text)
	case transcript.Mouse:
		r.setMouse(a.On)
	case transcript.Run:
		if !a.Bound.Empty || r.input.Empty() {
			r.runHere(a.Bound.Act)
		}
	}
	return nil
}

// runHere carries out actions that keys also have while the conversation takes them.
func (r *reader) runHere(a keymap.Action) {
	switch a {
	case keymap.Stop:
		r.current.interrupt()
	case keymap.Help:
		r.covers.openHelp()
	case keymap.Tasks:
		r.tasks.Toggle()
	case keymap.Times:
		r.look.Times = !r.look.Times
		r.restyle()
		r.notices.Info(map[bool]string{true: "times are shown", false: "times are hidden"}[r.look.Times])
	}
}

// readKey handles the keys for reading: find, select, copy, jump. done is false for all others.
func (r *reader) readKey(k tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	if r.look.TooSmall() && !r.conv.TakesKeys() && r.keys.Acts[k.String()].Act == keymap.Select {
		return nil, true // there is no room for the status line
	}
	return r.converse(k)
}

// scrollAct does what those keys do, and reports whether an action is one of theirs.
func (r *reader) scrollAct(a keymap.Action) bool {
	switch {
	case a == keymap.Fold && r.inlineHere():
		if !r.inl.ShowFolded() {
			r.notices.Info("nothing more is folded")
		}
		r.screen.touch()
		return true
	case a == keymap.Tasks:
		r.tasks.Toggle()
		return true
	}
	_, done := r.follow(r.conv.TakesKeys(), r.conv.Act(a), nil)
	return done
}

// viewKey handles a key while a child agent is looked into.
func (r *reader) viewKey(s string) tea.Cmd {
	cmd, _ := r.follow(r.conv.TakesKeys(), r.conv.ChildKey(s), nil)
	return cmd
}

// find opens the search; findAgain searches the last query again, forward or back.
func (r *reader) find() tea.Cmd {
	took := r.conv.TakesKeys()
	action, cmd := r.conv.Find()
	cmd, _ = r.follow(took, action, cmd)
	return cmd
}

func (r *reader) findAgain(dir int) tea.Cmd {
	took := r.conv.TakesKeys()
	action, cmd := r.conv.FindAgain(dir)
	cmd, _ = r.follow(took, action, cmd)
	return cmd
}

// readCursor returns the cell of the cursor for reading, -1 if the cursor is where something is written.
func (r *reader) readCursor() (x, y int) {
	if !r.conv.TakesKeys() {
		return -1, -1
	}
	if _, x, ok := r.conv.FindBar(r.screen.width); ok && x >= 0 {
		return x, r.screen.statusTop
	}
	if x, y, ok := r.conv.Cursor(); ok {
		return x, r.screen.bodyTop + y
	}
	return 0, r.screen.statusTop
}

// inlineHere reports whether the conversation on the screen is the terminal's, and cannot be scrolled or drawn over.
func (r *reader) inlineHere() bool { return r.opts.Appearance.Inline && !r.conv.Viewing() }

// setMouse takes the mouse from the terminal or gives it back.
func (r *reader) setMouse(on bool) {
	r.painter.SetMouse(on)
	if on {
		r.notices.Info("the mouse selects, folds and scrolls here")
		return
	}
	r.notices.Info(r.keys.Key(keymap.Mouse) + " takes the mouse back from the terminal")
}

// pointer handles the mouse: answers of the prompt first, then the conversation.
func (m *Model) pointer(msg tea.MouseMsg) tea.Cmd {
	if !m.conv.HasMouse() || m.covers.signIn != nil || m.look.TooSmall() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		if m.covers.list == nil && m.covers.help == nil && msg.Button == tea.MouseLeft {
			if m.asks.ask.PressAt(msg.X, msg.Y, m.asks.shown() && !m.conv.Reading()) {
				return nil
			}
			m.notices.Clear()
		}
	}
	if m.covers.list != nil || m.covers.help != nil {
		m.conv.Undrag()
		return nil
	}
	at := msg.Mouse()
	if _, is := msg.(tea.MouseReleaseMsg); is && m.asks.ask.Pressed() {
		return m.asks.click(at.X, at.Y)
	}
	cmd, _ := m.reader.converse(moved(msg, m.screen.bodyTop))
	if _, is := msg.(tea.MouseClickMsg); is && at.Button == tea.MouseLeft && at.Y == m.screen.statusTop && at.X > m.screen.width/2 {
		if more, _ := m.conv.Below(); more {
			m.reader.scrollAct(keymap.Bottom) // "more below" is there
		}
	}
	return cmd
}

// moved returns the message with its row counted from another one.
func moved(msg tea.MouseMsg, top int) tea.MouseMsg {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		msg.Y -= top
		return msg
	case tea.MouseMotionMsg:
		msg.Y -= top
		return msg
	case tea.MouseReleaseMsg:
		msg.Y -= top
		return msg
	}
	return msg
}

// wheel scrolls what is on the screen.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	k := tea.KeyPressMsg{Code: tea.KeyDown}
	switch msg.Button {
	case tea.MouseWheelUp:
		k.Code = tea.KeyUp
	case tea.MouseWheelDown:
	default:
		return nil
	}
	m.screen.touch()
	switch {
	case m.covers.list != nil:
		act, _ := m.covers.list.Update(k)
		return m.listed(act)
	case m.covers.help != nil:
		return m.helpKey(k)
	}
	cmd, _ := m.reader.converse(msg)
	return cmd
}

// copiedMsg reports the result of copying a text.
type copiedMsg struct {
	what   string
	result clipboard.Result
}

// copyText puts a text on the user's clipboard. what names it.
func (r *reader) copyText(what, text string) tea.Cmd {
	if text == "" {
		r.notices.Info("there is nothing to copy")
		return nil
	}
	board, ctx := r.opts.Clipboard, r.work.ctx
	return func() tea.Msg { return copiedMsg{what, board.Copy(ctx, text)} }
}

// copied shows which means was used and whether it is known to have worked.
func (r *reader) copied(msg copiedMsg) {
	if msg.result.Sequence != "" {
		r.painter.Say(msg.result.Sequence)
	}
	text := style.Visible(style.OneLine(msg.result.Message()))
	if msg.what != "" {
		text = msg.what + ": " + text
	}
	if short := style.Visible(style.OneLine(msg.result.Short())); r.look.Measure.Width(text) > r.screen.width-4 {
		text = short
	}
	r.notices.AddFor(notice.WarnTime, text, msg.result.Err != nil)
}

// childName returns the visible name of a child agent, "" for the session's own agent.
func (cur *current) childName(id session.ChildID) string {
	if id == "" {
		return ""
	}
	c := cur.conv.Transcript().FindChild(id)
	if c == nil || c.Name == "" {
		return "an agent"
	}
	return style.Visible(style.OneLine(c.Name))
}

// viewKeys returns the row in the place of the composer while a child agent is looked into.
func (r *reader) viewKeys(w int) string {
	keys := "esc goes back · " + r.look.Fold() + " opens rows · " + r.keys.Key(keymap.Open) + " looks into an agent"
	if w < 70 {
		keys = "esc goes back · " + r.look.Fold() + " opens rows"
	}
	return "  " + r.look.Theme.Dim.Of(r.look.Measure.Clip(keys, w-4))
}
