package ui

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
func (as *asks) editPlan(q *question.Question) tea.Cmd {
	if q == nil || q.Ask == nil || q.Ask.Plan == nil {
		return nil
	}
	if q.Edited != "" {
		return as.screen.editText(q.Edited, q)
	}
	return as.screen.editText(strings.TrimRight(q.Ask.Plan.Plan, "\n"), q)
}

// edited puts what was written in the user's editor in its place: the plan that is asked about, or the field.
func (as *asks) edited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		as.notices.Warn("the editor failed: " + msg.err.Error())
		return nil
	}
	if msg.plan != nil {
		as.planEdited(msg.plan, msg.text)
		return nil
	}
	return as.input.Edited(msg.text)
}

// planEdited handles the plan that comes back from the editor. An unchanged one changes nothing.
func (as *asks) planEdited(q *question.Question, text string) {
	switch {
	case as.ask.Question() != q || q.Ask.Plan == nil:
		as.notices.Warn("the plan is no longer asked about: what you wrote was not sent")
	case strings.TrimSpace(text) == strings.TrimSpace(q.Ask.Plan.Plan):
		as.notices.Info("the plan was left as it is")
	default:
		q.EditPlan(text)
	}
}

// scrollPlan scrolls the conversation, where the plan stands, by a row.
func (as *asks) scrollPlan(down bool) {
	step := -1
	if down {
		step = 1
	}
	as.conv.Session().Scroll(step)
}

// revealAsked scrolls to the beginning of what has just been asked about, if the reader was at the end.
func (as *asks) revealAsked() {
	if !as.reveal.due {
		return
	}
	as.reveal.due = false
	if q := as.ask.Question(); q != nil && q.Ask != nil {
		as.reveal.done = as.conv.Session().Reveal(q.Ask, as.changedRow(q.Ask))
	}
}

// changedRow returns the row of an ask's item with the first changed line, 0 for none.
func (as *asks) changedRow(a *session.Ask) int {
	if a.Permission == nil || a.Permission.Edit == nil {
		return 0
	}
	lines := strings.Split(style.Visible(a.Permission.Edit.Patch), "\n")
	before := strings.Join(lines[:question.ChangedLine(lines)], "\n")
	return 1 + len(style.EditRows(as.look, "", before, 0))
}

// followAgain returns to the end of the conversation if it was left for the question that is answered.
func (as *asks) followAgain() {
	if as.reveal.done {
		as.conv.Session().Bottom()
	}
}
