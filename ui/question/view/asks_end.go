package view

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/question"
)

// ended reports what a question was about and what ended without an answer of the user's here, and keeps the words that were
// written for it. It reports nothing where the user interrupted the turn.
func (m *Asks) ended(q *question.Question) tea.Cmd {
	gone, plan := false, m.Unsent()
	for a := range q.Asks() {
		if m.answered[a.Ask] || !a.Settled {
			continue
		}
		m.answered[a.Ask], gone = true, true
		if a.Settlement.How != session.SettledCancelled || !m.o.Current().Stopping {
			m.notices.Info(question.Ended(a, m.o.Current().Dir))
		}
	}
	if !gone {
		return nil
	}
	cmd := m.savePlan(plan)
	if words := m.Ask.Unsent(); words != "" {
		cmd = tea.Batch(cmd, m.o.Input.Reclaim(words, nil, nil))
	}
	return cmd
}
