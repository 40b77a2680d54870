package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/style"
)

// This file is the review of a plan: the plan stands in the conversation, the question about it above the composer.

// editPlan opens the plan in the user's editor.
func (m *Model) editPlan() tea.Cmd {
	if m.prompt == nil || m.prompt.ask == nil || m.prompt.ask.Plan == nil {
		return nil
	}
	return m.editText(strings.TrimRight(m.prompt.ask.Plan.Plan, "\n"), m.prompt)
}

// planEdited takes in what the user made of a plan. One that was left as it was changes nothing.
func (m *Model) planEdited(p *prompt, text string) {
	switch {
	case m.prompt != p || p.ask.Plan == nil:
		m.say("the plan is no longer asked about: what you wrote was not sent", true)
	case strings.TrimSpace(text) == strings.TrimSpace(p.ask.Plan.Plan):
		m.say("the plan was left as it is", false)
	default:
		p.changedPlan(text)
	}
}

// dropPlan asks about the plan as the agent made it again.
func (m *Model) dropPlan() tea.Cmd {
	return tea.Batch(m.setPrompt(nil), m.syncPrompt())
}

// scrollPlan scrolls the conversation, where the plan stands, by a row.
func (m *Model) scrollPlan(down bool) {
	step := -1
	if down {
		step = 1
	}
	m.feed.rows.Scroll(step)
}

// revealAsked brings the beginning of what has just been asked about onto the screen, if the reader was at the end.
func (m *Model) revealAsked() {
	p := m.prompt
	if p == nil || !p.reveal {
		return
	}
	p.reveal = false
	if !m.feed.rows.Following() {
		return
	}
	for i := len(m.feed.list) - 1; i >= 0; i-- {
		if it := m.feed.list[i]; !it.state().hidden && askedIn(it) == p.ask {
			m.feed.rows.Reveal(i)
			if row := m.changedRow(p.ask); row >= m.bodyHeight {
				m.feed.rows.RevealRow(i, row) // the context of a change matters less than the change
			}
			p.revealed = !m.feed.rows.Following()
			return
		}
	}
}

// changedRow is the row of an ask's item in which the first line stands that is to change, 0 for none.
func (m *Model) changedRow(a *session.Ask) int {
	if a.Permission == nil || a.Permission.Edit == nil {
		return 0
	}
	patch := style.Visible(a.Permission.Edit.Patch)
	lines := strings.Split(patch, "\n")
	return 1 + len(style.DiffRows(m.look, strings.Join(lines[:changedLine(lines)], "\n"), m.look.Inner()-2))
}

// followAgain goes back to the end of the conversation once that is answered for whose beginning it was left.
func (m *Model) followAgain(p *prompt) {
	if p != nil && p.revealed {
		m.feed.rows.Bottom()
	}
}
