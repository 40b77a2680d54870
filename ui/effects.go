package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
	"parley/ui/editor"
	"parley/ui/keyboard"
	"parley/ui/keymap"
	"parley/ui/list"
	"parley/ui/panel"
)

// CarryOut carries out an effect of a panel within the call, see [panel.Owner]. The chat carries out those on itself.
func (m *Model) CarryOut(from panel.ID, e panel.Effect) tea.Cmd {
	m.dirty = true
	switch e := e.(type) {
	case panel.Notice:
		m.notice(e)
	case panel.Repeat:
		m.notices.Repeat(e.Index)
	case panel.Report:
		return m.report(e)
	case panel.Copy:
		return m.copyText(e.What, e.Text)
	case panel.EditText:
		edit := &editor.Edit{Text: e.Text, Program: m.opts.Editor, Out: m.opts.Output, Release: m.painter.Release}
		return m.exec(edit, func(err error) tea.Msg { return panel.Reply(from, panel.Edited{Text: edit.Text, Err: err}) })
	case panel.EditFile:
		edit := &editor.File{Path: e.Path, Program: m.opts.Editor, Out: m.opts.Output, Release: m.painter.Release}
		return m.exec(edit, func(err error) tea.Msg { return panel.Reply(from, panel.Edited{Err: err}) })
	case panel.OpenPage:
		return m.stack.Do(from, e.With(m.opts.OpenPage()))
	case panel.SetDefault:
		return m.stack.Do(from, e.In(m.opts.Settings))
	case panel.Apply:
		return m.apply(e)
	case panel.Mouse:
		m.painter.SetMouse(e.On)
	case panel.SignIn:
		m.result.Choice = e.Choice
		return tea.Quit
	case panel.Leave:
		m.failed = e.Err
		return tea.Quit
	case panel.Detach:
		m.result.Reason = core.LeftDetached
		return tea.Quit
	case panel.Replay:
		for _, msg := range e.Messages {
			m.later(m.route(msg))
		}
	case panel.Key:
		if act := e.Bound.Act; act == keymap.Redraw || act == keymap.Suspend {
			return m.programKey(act)
		}
		return m.inChat(m.chat.CarryOut(e))
	default:
		return m.inChat(m.chat.CarryOut(e))
	}
	return nil
}

// notice shows a notice.
func (m *Model) notice(n panel.Notice) {
	if n.For > 0 {
		m.notices.AddFor(n.For, n.Text, n.Warn)
		return
	}
	m.notices.Add(n.Text, n.Warn)
}

// report shows lines: one as a notice if it fits, more in a list.
func (m *Model) report(r panel.Report) tea.Cmd {
	if len(r.Lines) == 1 && m.look.Measure.Width(r.Lines[0]) < m.width-4 {
		m.notices.Info(r.Lines[0])
		return nil
	}
	return m.stack.Do(0, panel.Push{Panel: list.Open(m.look, list.Facts(r), "")})
}

// editedMsg reports that the user's editor has ended, and carries the message that follows.
type editedMsg struct{ then tea.Msg }

// exec gives the terminal to the user's editor. done returns the message that follows.
func (m *Model) exec(edit tea.ExecCommand, done func(error) tea.Msg) tea.Cmd {
	return tea.Exec(edit, func(err error) tea.Msg {
		m.painter.Retake()
		return editedMsg{done(err)}
	})
}

// visitMsg wants a file opened in the user's editor.
type visitMsg struct{ editor.Visit }

// visit gives the terminal to the editor for a file that an agent wants to show, unless nobody waits for that any more.
func (m *Model) visit(v editor.Visit) tea.Cmd {
	if !v.Wanted() {
		return nil
	}
	file := &editor.File{Path: v.Path, Line: v.Line, Program: m.opts.Editor, Out: m.opts.Output, Release: m.painter.Release}
	return m.exec(file, func(err error) tea.Msg {
		v.End(err)
		return nil
	})
}

// suspend returns the terminal to the shell until the user resumes the program.
func (m *Model) suspend() tea.Cmd {
	if !keyboard.CanSuspend() { // nobody would continue it
		m.notices.Warn("Nothing to suspend to here")
		return nil
	}
	m.painter.Release()
	return tea.Suspend
}
