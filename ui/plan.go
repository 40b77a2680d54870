package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
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
	m.prompt = nil
	return m.syncPrompt()
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
			p.revealed = !m.feed.rows.Following()
			return
		}
	}
}

// followAgain goes back to the end of the conversation once that is answered for whose beginning it was left.
func (m *Model) followAgain(p *prompt) {
	if p != nil && p.revealed {
		m.feed.rows.Bottom()
	}
}
