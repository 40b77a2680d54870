package asking

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/question"
)

// ended reports a question that ended without an answer of the user's here, and keeps the words that were written for it. It
// reports nothing where the user interrupted the turn.
func (m *Model) ended(q *question.Question) tea.Cmd {
	if q == nil || q.Ask == nil || m.answered[q.Ask.Ask] || !q.Ask.Settled {
		return nil
	}
	m.answered[q.Ask.Ask] = true
	words := m.Ask.Unsent()
	if s := q.Ask.Settlement; s.How != session.SettledCancelled || !m.chat.Interrupting() {
		m.notices.Info(question.Ended(q.Ask, m.chat.Dir()))
	}
	if words == "" {
		return nil
	}
	return m.chat.Keep(words)
}
