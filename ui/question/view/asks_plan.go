package view

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/question"
	"parley/ui/style"
)

// This file is the review of a plan: the plan stands in the conversation, the question about it above the composer.

// reveal is how the conversation follows a question: due asks the next frame to show the beginning of what is asked about,
// done reports that the end of the conversation was left for that.
type reveal struct{ due, done bool }

// editPlan opens the plan of a question in the user's editor, with the user's changes so far.
func (m *Asks) editPlan(q *question.Question) tea.Cmd {
	if q == nil || q.Review == nil {
		return nil
	}
	m.o.Edit(q.Review.Text(), q)
	return nil
}

// PlanEdited handles the plan that comes back from the editor. An unchanged one changes nothing. One that is no longer
// asked about becomes text of the field.
func (m *Asks) PlanEdited(q *question.Question, text string) tea.Cmd {
	r := q.Review
	switch {
	case m.Ask.Question() != q || r == nil:
		return m.savePlan(strings.TrimSpace(text))
	case strings.TrimSpace(text) == strings.TrimSpace(r.Text()):
		m.notices.Info("Plan unchanged")
		return nil
	}
	if problem := q.TakePlan(text); problem != "" {
		m.notices.Warn(problem)
	}
	return nil
}

// Unsent returns the user's version of the plan that is asked about, "" without one.
func (m *Asks) Unsent() string {
	q := m.Ask.Question()
	if q == nil || q.Ask == nil || m.answered[q.Ask.Ask] {
		return ""
	}
	return q.Review.Unsent()
}

// version identifies a state of the user's version of a plan.
type version struct {
	of *question.Question
	n  uint64
}

// Rewritten reports whether the user's version of a plan may have changed since the last call.
func (m *Asks) Rewritten() bool {
	now := version{}
	if q := m.Ask.Question(); q != nil && q.Review != nil {
		now = version{q, q.Review.Version()}
	}
	was := m.rewritten
	m.rewritten = now
	return now != was && (was.n > 0 || now.n > 0)
}

// savePlan puts a plan that the user changed into the field, since it is no longer asked about.
func (m *Asks) savePlan(plan string) tea.Cmd {
	if plan == "" {
		return nil
	}
	m.notices.Warn("The agent withdrew the plan. Your edits are in the prompt.")
	return m.o.Input.Reclaim(plan, nil, nil)
}

// RevealAsked scrolls to the beginning of what has just been asked about, if the reader was at the end.
func (m *Asks) RevealAsked() {
	if !m.reveal.due {
		return
	}
	m.reveal.due = false
	if q := m.Ask.Question(); q != nil && q.Ask != nil {
		m.reveal.done = m.conv.Session().Reveal(q.Ask, m.changedRow(q.Ask))
	}
}

// changedRow returns the row of an ask's item with the first changed line, 0 for none.
func (m *Asks) changedRow(a *session.Ask) int {
	if a.Permission == nil || a.Permission.Edit == nil {
		return 0
	}
	lines := strings.Split(style.Visible(a.Permission.Edit.Patch), "\n")
	before := strings.Join(lines[:question.ChangedLine(lines)], "\n")
	row := 1 + len(style.EditRows(m.look, "", before, 0))
	if len(a.Permission.More) > 0 {
		row++ // the name of the file
	}
	return row
}

// followAgain returns to the end of the conversation if it was left for the question that is answered.
func (m *Asks) followAgain() {
	if m.reveal.done {
		m.conv.Session().Bottom()
	}
}
