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

// field carries out what came of a call of the field.
func (m *Model) field(a input.Action, cmd tea.Cmd) tea.Cmd {
	if a == nil {
		return cmd
	}
	return tea.Batch(cmd, m.fieldAction(a))
}

// fieldChanged has what is written saved and drawn if it changed. Saving waits a moment, since more changes are likely.
func (d *drafts) changed() tea.Cmd {
	redraw, written := d.input.Changes()
	if redraw {
		d.screen.touch()
	}
	if !written || d.due || d.opts.Drafts == nil {
		return nil
	}
	d.due = true
	return d.work.after(chat.DraftDelay, draftMsg{})
}

// fieldAction carries out what the field asks for.
func (m *Model) fieldAction(a input.Action) tea.Cmd {
	switch a := a.(type) {
	case input.Began:
		m.current.warm()
	case input.Pressed:
		if cmd, done := m.act(a.Bound); done {
			return cmd
		}
		return m.field(m.input.Type(a.Key))
	case input.TakeBack:
		if p, ok := m.current.unqueue(); ok {
			return m.prompts.reclaim(p)
		}
		return m.field(m.input.Type(a.Key))
	case input.Submitted:
		return m.prompts.submitted(a)
	case input.SubmittedNothing:
		if m.current.held() {
			m.current.session.Release()
			return nil
		}
		return m.prompts.again()
	case input.Command:
		return m.slash(a)
	case input.Shell:
		return m.jobs.runShell(a.Line)
	case input.Leave:
		return tea.Batch(m.input.SetValue(""), m.leave())
	case input.Read:
		return m.vimReads(a.What)
	case input.Say:
		m.notices.Add(a.Text, a.Warn)
	case input.ImageAdded:
		if mod := m.choices.model(m.current.settings().Model); mod != nil && !mod.Vision {
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
	if m.current.isAgentCommand(a.Name) {
		var cmd tea.Cmd
		if m.input.Value() != a.Text { // it was chosen from the list
			cmd = m.input.SetValue(a.Text)
		}
		return tea.Batch(cmd, m.prompts.post(m.input.Take(strings.TrimSpace(a.Text)), false))
	}
	if wait := m.current.commandsToCome(); wait != nil {
		return m.awaitCommands(a.Text, wait)
	}
	m.notices.Warn("no command /" + a.Name + ": /help lists them, // sends a slash")
	return nil
}

// reclaim puts a prompt that was taken out of the queue back into the field.
func (ps *prompts) reclaim(p session.Prompt) tea.Cmd {
	return ps.input.Reclaim(p.Text, chat.ImageChips(p), chat.KeptAttachments(p.Attachments))
}

// suggestion is what an empty field says before the first prompt of a conversation, for those who are new here.
func (v *view) suggestion() string {
	if len(v.conv.Transcript().Turns) > 0 || v.current.opening != nil || v.screen.width < 40 || v.jobs.shell.Running() {
		return ""
	}
	hint := "/ commands · @ files"
	if v.jobs.shell.Available() {
		hint += " · ! your shell"
	}
	return hint
}

// fieldRows returns at most limit rows of the field, and the cell of the cursor.
func (v *view) fieldRows(limit int) (rows []string, cx, cy int) {
	v.input.Suggest(v.suggestion())
	return v.input.Rows(v.screen.width, limit)
}

// runningShell returns the command of the user's shell that runs, nil if none does.
func (j *jobs) runningShell() *input.Running {
	if !j.shell.Running() {
		return nil
	}
	line, began := j.shell.Command()
	r := &input.Running{Line: line, Output: j.shell.shown, Right: "esc stops"}
	if took := j.look.Now().Sub(began); took >= style.Noticeable {
		r.Right = style.Seconds(took) + " · " + r.Right
	}
	return r
}

// vimReads does what a key of vim's normal mode means in the conversation.
func (m *Model) vimReads(what input.Reading) tea.Cmd {
	switch what {
	case input.ReadFind:
		return m.reader.find()
	case input.ReadNextMatch:
		return m.reader.findAgain(-1)
	case input.ReadPreviousMatch:
		return m.reader.findAgain(1)
	case input.ReadHelp:
		m.covers.openHelp()
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
func (v *view) cursorShape() int {
	shape := v.input.CursorShape()
	switch {
	case shape == 0:
	case v.conv.TakesKeys() && !v.conv.Typing():
		return input.Block
	case v.covers.list != nil, v.conv.Finding(), v.asks.ask.HasKeyboard():
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
		return m.screen.editText(m.input.Value(), nil), true
	case keymap.Mode:
		m.choices.nextMode()
		return nil, true
	case keymap.Help:
		m.covers.openHelp()
		return nil, true
	case keymap.Redraw:
		m.painter.Repaint()
		return nil, true
	case keymap.Suspend:
		return m.suspend(), true
	case keymap.Search:
		return m.input.OpenSearch(), true
	case keymap.Fork:
		return m.sessions.openFork(m.conv.Session().TopTurn()), true
	case keymap.Image:
		return m.field(m.input.PasteImage()), true
	case keymap.Palette:
		return m.openPalette(), true
	case keymap.RunCommand:
		if c, known := findCommand(b.Command); known {
			return c.run(m, ""), true
		}
	}
	return nil, m.reader.scrollAct(b.Act)
}

// suspend gives the terminal back to the shell until the user returns.
func (m *Model) suspend() tea.Cmd {
	if runtime.GOOS == "windows" { // which knows no suspension
		return nil
	}
	m.painter.Release()
	return tea.Suspend
}
