package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/editor"
	"parley/ui/question"
)

// editedMsg brings back what was written in the user's editor: a prompt, or with plan the plan that is asked about.
type editedMsg struct {
	text string
	err  error
	plan *question.Question
}

// editText opens a text in the user's editor; plan is the question it belongs to, nil for what is in the composer.
func (s *screen) editText(text string, plan *question.Question) tea.Cmd {
	e := &editor.Edit{Text: text, Program: s.opts.Editor, Out: s.opts.Output, Release: s.painter.Release}
	return tea.Exec(e, func(err error) tea.Msg {
		s.painter.Retake()
		return editedMsg{e.Text, err, plan}
	})
}

// edited takes in what was written in the editor.
func (m *Model) edited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		m.notices.Warn("the editor failed: " + msg.err.Error())
		return nil
	}
	if msg.plan != nil {
		m.asks.planEdited(msg.plan, msg.text)
		return nil
	}
	return m.input.Edited(msg.text)
}
