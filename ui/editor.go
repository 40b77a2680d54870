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

// edit opens what is written in the user's editor.
func (m *Model) edit() tea.Cmd { return m.editText(m.input.Value(), nil) }

// editText opens a text in the user's editor; plan is the question it belongs to, nil for what is in the composer.
func (m *Model) editText(text string, plan *question.Question) tea.Cmd {
	e := &editor.Edit{Text: text, Program: m.opts.Editor, Out: m.opts.Output, Release: m.painter.Release}
	return tea.Exec(e, func(err error) tea.Msg {
		m.painter.Retake()
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
		m.planEdited(msg.plan, msg.text)
		return nil
	}
	return m.input.Edited(msg.text)
}
