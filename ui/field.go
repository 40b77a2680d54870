package ui

import (
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/input"
	"parley/ui/keymap"
	"parley/ui/style"
)

// chatKey hands a key to the field.
func (m *Model) chatKey(k tea.KeyPressMsg) tea.Cmd { return m.field(m.input.Update(k)) }

// field carries out what came of a call of the field.
func (m *Model) field(a input.Action, cmd tea.Cmd) tea.Cmd {
	if a == nil {
		return cmd
	}
	return tea.Batch(cmd, m.fieldAction(a))
}

// fieldChanged has what is written saved and drawn if it changed. Saving waits a moment, since more changes are likely.
func (m *Model) fieldChanged() tea.Cmd {
	redraw, written := m.input.Changes()
	if redraw {
		m.touch()
	}
	if !written || m.savingSoon || m.opts.Drafts == nil {
		return nil
	}
	m.savingSoon = true
	return m.work.after(chat.DraftDelay, draftMsg{})
}

// fieldAction carries out what the field asks for.
func (m *Model) fieldAction(a input.Action) tea.Cmd {
	switch a := a.(type) {
	case input.Began:
		m.warm()
	case input.Pressed:
		if cmd, done := m.act(a.Bound); done {
			return cmd
		}
		return m.field(m.input.Type(a.Key))
	case input.TakeBack:
		if p, ok := m.unqueue(); ok {
			return m.reclaim(p)
		}
		return m.field(m.input.Type(a.Key))
	case input.Submitted:
		return m.submitted(a)
	case input.SubmittedNothing:
		if m.held() {
			m.session.Release()
			return nil
		}
		return m.again()
	case input.Command:
		return m.slash(a)
	case input.Shell:
		return m.runShell(a.Line)
	case input.Leave:
		return tea.Batch(m.input.SetValue(""), m.leave())
	case input.Read:
		return m.vimReads(a.What)
	case input.Say:
		m.notices.Add(a.Text, a.Warn)
	case input.ImageAdded:
		if mod := m.model(m.settings().Model); mod != nil && !mod.Vision {
			m.notices.Warn(style.ShortModel(mod.ID) + " cannot see images; /model lists others")
		}
	}
	return nil
}

// enter sends what is written, into the running turn or behind it.
func (m *Model) enter(steer bool) tea.Cmd { return m.field(m.input.Submit(steer), nil) }

// slash runs a slash command, or sends it to an agent that understands it.
func (m *Model) slash(a input.Command) tea.Cmd {
	if c, ours := findCommand(a.Name); ours {
		return tea.Batch(m.input.SetValue(""), c.run(m, a.Args))
	}
	if m.isAgentCommand(a.Name) {
		var cmd tea.Cmd
		if m.input.Value() != a.Text { // it was chosen from the list
			cmd = m.input.SetValue(a.Text)
		}
		return tea.Batch(cmd, m.post(m.input.Take(strings.TrimSpace(a.Text)), false))
	}
	if wait := m.commandsToCome(); wait != nil {
		return m.awaitCommands(a.Text, wait)
	}
	m.notices.Warn("no command /" + a.Name + ": /help lists them, // sends a slash")
	return nil
}

// reclaim puts a prompt that was taken out of the queue back into the field.
func (m *Model) reclaim(p session.Prompt) tea.Cmd {
	return m.input.Reclaim(p.Text, chat.ImageChips(p), chat.KeptAttachments(p.Attachments))
}

// suggestion is what an empty field says before the first prompt of a conversation, for those who are new here.
func (m *Model) suggestion() string {
	if len(m.conv.Transcript().Turns) > 0 || m.opening != nil || m.width < 40 || m.shell.Running() {
		return ""
	}
	hint := "/ commands · @ files"
	if m.shell.Available() {
		hint += " · ! your shell"
	}
	return hint
}

// fieldRows returns at most limit rows of the field, and the cell of the cursor.
func (m *Model) fieldRows(limit int) (rows []string, cx, cy int) {
	m.input.Suggest(m.suggestion())
	return m.input.Rows(m.width, limit)
}

// runningShell returns the command of the user's shell that runs, nil if none does.
func (m *Model) runningShell() *input.Running {
	if !m.shell.Running() {
		return nil
	}
	line, began := m.shell.Command()
	r := &input.Running{Line: line, Output: m.shell.shown, Right: "esc stops"}
	if took := m.look.Now().Sub(began); took >= style.Noticeable {
		r.Right = style.Seconds(took) + " · " + r.Right
	}
	return r
}

// vimReads does what a key of vim's normal mode means in the conversation.
func (m *Model) vimReads(what input.Reading) tea.Cmd {
	switch what {
	case input.ReadFind:
		return m.find()
	case input.ReadNextMatch:
		return m.findAgain(-1)
	case input.ReadPreviousMatch:
		return m.findAgain(1)
	case input.ReadHelp:
		m.openHelp()
	case input.ReadPalette:
		return m.openPalette()
	case input.ReadHalfPageUp:
		m.conv.ScrollHalf(-1)
	case input.ReadHalfPageDown:
		m.conv.ScrollHalf(1)
	case input.ReadEnd:
		m.conv.Bottom()
	}
	return nil
}

// cursorShape returns the shape of the cursor: the user's own without vim's keys.
func (m *Model) cursorShape() int {
	shape := m.input.CursorShape()
	switch {
	case shape == 0:
	case m.conv.TakesKeys() && !m.conv.Typing():
		return input.Block
	case m.list != nil, m.conv.Finding(), m.ask.HasKeyboard():
		return input.Bar
	}
	return shape
}

// act does what a key is bound to, and reports whether there was something to do.
func (m *Model) act(b keymap.Bound) (cmd tea.Cmd, done bool) {
	switch b.Act {
	case keymap.Send:
		return m.enter(m.opts.EnterSteers), true
	case keymap.Steer:
		return m.enter(!m.opts.EnterSteers), true
	case keymap.Interrupt:
		return m.escape(), true
	case keymap.Stop:
		return m.ctrlC(), true
	case keymap.Leave:
		return m.leave(), true
	case keymap.Editor:
		return m.edit(), true
	case keymap.Mode:
		m.nextMode()
		return nil, true
	case keymap.Help:
		m.openHelp()
		return nil, true
	case keymap.Redraw:
		m.painter.Repaint()
		return nil, true
	case keymap.Suspend:
		return m.suspend(), true
	case keymap.Search:
		return m.input.OpenSearch(), true
	case keymap.Fork:
		return m.openFork(m.conv.Session().TopTurn()), true
	case keymap.Image:
		return m.field(m.input.PasteImage()), true
	case keymap.Palette:
		return m.openPalette(), true
	case keymap.RunCommand:
		if c, known := findCommand(b.Command); known {
			return c.run(m, ""), true
		}
	}
	return nil, m.scrollAct(b.Act)
}

// suspend gives the terminal back to the shell until the user returns.
func (m *Model) suspend() tea.Cmd {
	if runtime.GOOS == "windows" { // which knows no suspension
		return nil
	}
	m.painter.Release()
	return tea.Suspend
}

// does returns what a key does in the chat now.
func (m *Model) does(key string) keymap.Bound { return m.input.Bound(key) }
