package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/clipboard"
	"parley/ui/keymap"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/style"
	"parley/ui/transcript"
)

// This file is between the conversation and the rest of the screen.

// converse hands the conversation a message. handled is false for a key or a paste that is not for it.
func (m *Model) converse(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	took := m.conv.TakesKeys()
	action, cmd := m.conv.Update(msg)
	return m.follow(took, action, cmd)
}

// follow carries out what the conversation asks for. took reports whether it took the keys before.
func (m *Model) follow(took bool, action transcript.Action, cmd tea.Cmd) (_ tea.Cmd, handled bool) {
	if m.conv.Changed() {
		m.touch()
	}
	if m.conv.TakesKeys() != took {
		cmd = tea.Batch(cmd, m.resetPrompt())
	}
	done := m.carryOut(action)
	if _, passed := action.(transcript.Passed); passed {
		return cmd, false
	}
	return tea.Batch(cmd, done), true
}

// carryOut does what only the root can do.
func (m *Model) carryOut(action transcript.Action) tea.Cmd {
	switch a := action.(type) {
	case transcript.Copy:
		return m.copyText(a.What, a.Text)
	case transcript.PickCode:
		m.open(lists.Code{Blocks: a.Blocks}, "")
	case transcript.Say:
		m.notices.Info(a.Text)
	case transcript.Mouse:
		m.setMouse(a.On)
	case transcript.Run:
		if !a.Bound.Empty || m.input.Empty() {
			m.runHere(a.Bound.Act)
		}
	}
	return nil
}

// runHere carries out actions that keys also have while the conversation takes them.
func (m *Model) runHere(a keymap.Action) {
	switch a {
	case keymap.Stop:
		m.interrupt()
	case keymap.Help:
		m.openHelp()
	case keymap.Tasks:
		m.tasks.Toggle()
	case keymap.Times:
		m.look.Times = !m.look.Times
		m.restyle()
		m.notices.Info(map[bool]string{true: "times are shown", false: "times are hidden"}[m.look.Times])
	}
}

// readKey handles the keys for reading: find, select, copy, jump. done is false for all others.
func (m *Model) readKey(k tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	if m.tooSmall() && !m.conv.TakesKeys() && m.keys.Acts[k.String()].Act == keymap.Select {
		return nil, true // there is no room for the status line
	}
	return m.converse(k)
}

// scrollKey handles the keys that move through the conversation, open and fold it.
func (m *Model) scrollKey(s string) bool { return m.scrollAct(m.does(s).Act) }

// scrollAct does what those keys do, and reports whether an action is one of theirs.
func (m *Model) scrollAct(a keymap.Action) bool {
	switch {
	case a == keymap.Fold && m.inlineHere():
		if !m.inl.ShowFolded() {
			m.notices.Info("nothing more is folded")
		}
		m.touch()
		return true
	case a == keymap.Tasks:
		m.tasks.Toggle()
		return true
	}
	_, done := m.follow(m.conv.TakesKeys(), m.conv.Act(a), nil)
	return done
}

// viewKey handles a key while a child agent is looked into.
func (m *Model) viewKey(s string) tea.Cmd {
	cmd, _ := m.follow(m.conv.TakesKeys(), m.conv.ChildKey(s), nil)
	return cmd
}

// find opens the search; findAgain searches the last query again, forward or back.
func (m *Model) find() tea.Cmd {
	took := m.conv.TakesKeys()
	action, cmd := m.conv.Find()
	cmd, _ = m.follow(took, action, cmd)
	return cmd
}

func (m *Model) findAgain(dir int) tea.Cmd {
	took := m.conv.TakesKeys()
	action, cmd := m.conv.FindAgain(dir)
	cmd, _ = m.follow(took, action, cmd)
	return cmd
}

// readCursor returns the cell of the cursor for reading, -1 if the cursor is where something is written.
func (m *Model) readCursor() (x, y int) {
	if !m.conv.TakesKeys() {
		return -1, -1
	}
	if _, x, ok := m.conv.FindBar(m.width); ok && x >= 0 {
		return x, m.statusTop
	}
	if x, y, ok := m.conv.Cursor(); ok {
		return x, m.bodyTop + y
	}
	return 0, m.statusTop
}

// inlineHere reports whether the conversation on the screen is the terminal's, and cannot be scrolled or drawn over.
func (m *Model) inlineHere() bool { return m.opts.Appearance.Inline && !m.conv.Viewing() }

// setMouse takes the mouse from the terminal or gives it back.
func (m *Model) setMouse(on bool) {
	m.painter.SetMouse(on)
	if on {
		m.notices.Info("the mouse selects, folds and scrolls here")
		return
	}
	m.notices.Info(m.keys.Key(keymap.Mouse) + " takes the mouse back from the terminal")
}

// pointer handles the mouse: answers of the prompt first, then the conversation.
func (m *Model) pointer(msg tea.MouseMsg) tea.Cmd {
	if !m.conv.HasMouse() || m.signIn != nil || m.tooSmall() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		if m.list == nil && m.help == nil && msg.Button == tea.MouseLeft {
			if m.ask.PressAt(msg.X, msg.Y, m.promptShown() && !m.conv.Reading()) {
				return nil
			}
			m.notices.Clear()
		}
	}
	if m.list != nil || m.help != nil {
		m.conv.Undrag()
		return nil
	}
	at := msg.Mouse()
	if _, is := msg.(tea.MouseReleaseMsg); is && m.ask.Pressed() {
		return m.clickAnswer(at.X, at.Y)
	}
	cmd, _ := m.converse(moved(msg, m.bodyTop))
	if _, is := msg.(tea.MouseClickMsg); is && at.Button == tea.MouseLeft && at.Y == m.statusTop && at.X > m.width/2 {
		if more, _ := m.conv.Below(); more {
			m.scrollAct(keymap.Bottom) // "more below" is there
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
	m.touch()
	switch {
	case m.list != nil:
		act, _ := m.list.Update(k)
		return m.listed(act)
	case m.help != nil:
		return m.helpKey(k)
	}
	cmd, _ := m.converse(msg)
	return cmd
}

// copiedMsg reports the result of copying a text.
type copiedMsg struct {
	what   string
	result clipboard.Result
}

// copyText puts a text on the user's clipboard. what names it.
func (m *Model) copyText(what, text string) tea.Cmd {
	if text == "" {
		m.notices.Info("there is nothing to copy")
		return nil
	}
	board, ctx := m.opts.Clipboard, m.work.ctx
	return func() tea.Msg { return copiedMsg{what, board.Copy(ctx, text)} }
}

// copied shows which means was used and whether it is known to have worked.
func (m *Model) copied(msg copiedMsg) {
	if msg.result.Sequence != "" {
		m.painter.Say(msg.result.Sequence)
	}
	text := style.Visible(style.OneLine(msg.result.Message()))
	if msg.what != "" {
		text = msg.what + ": " + text
	}
	if short := style.Visible(style.OneLine(msg.result.Short())); m.look.Measure.Width(text) > m.width-4 {
		text = short
	}
	m.notices.AddFor(notice.WarnTime, text, msg.result.Err != nil)
}

// childName returns the visible name of a child agent, "" for the session's own agent.
func (m *Model) childName(id session.ChildID) string {
	if id == "" {
		return ""
	}
	c := m.conv.Transcript().FindChild(id)
	if c == nil || c.Name == "" {
		return "an agent"
	}
	return style.Visible(style.OneLine(c.Name))
}

// viewKeys returns the row in the place of the composer while a child agent is looked into.
func (m *Model) viewKeys(w int) string {
	keys := "esc goes back · " + m.look.Fold() + " opens rows · " + m.keys.Key(keymap.Open) + " looks into an agent"
	if w < 70 {
		keys = "esc goes back · " + m.look.Fold() + " opens rows"
	}
	return "  " + m.look.Theme.Dim.Of(m.look.Measure.Clip(keys, w-4))
}
