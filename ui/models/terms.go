package models

import (
	"context"
	"time"

	"parley/session"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// needsYes stands in the row of a model whose terms are open.
const needsYes = "needs your yes: terms"

// Terms asks whether the user agrees to the terms of a model, and does what was chosen afterwards.
type Terms struct {
	Model  session.Model
	Accept session.TermsAccepter
	Then   panel.Effect
}

// ask returns an effect that uses a model, after a question where its terms are open.
func ask(l *style.Look, accept session.TermsAccepter, m session.Model, then panel.Effect) panel.Effect {
	switch {
	case m.Terms == "":
		return then
	case accept == nil:
		return panel.Notice{Text: m.ID + ": " + m.Unusable, Warn: true}
	}
	return panel.Push{Panel: list.Open(l, Terms{Model: m, Accept: accept, Then: then}, "")}
}

// name returns the name of the model for people, visible.
func (q Terms) name() string {
	if q.Model.Name == "" {
		return style.VisibleLine(q.Model.ID)
	}
	return style.VisibleLine(q.Model.Name)
}

// Options returns the question.
func (q Terms) Options() list.Options {
	return list.Options{Title: "Terms of " + q.name(), Text: style.Visible(style.OneLine(q.Model.Terms)) + " Your yes, or /model " +
		style.VisibleLine(q.Model.ID) + " " + agreeingWord + ", is sent to GitHub once and holds wherever you use this login.",
		Keys: "↑ ↓ select · enter choose · esc back", Sure: true}
}

// Rows returns no and yes.
func (q Terms) Rows() []list.Row {
	return []list.Row{{ID: "no", Cells: []string{"no, not now"}}, {ID: "yes", Cells: []string{"yes, agree and use " + q.name()}}}
}

// Choose agrees for yes, and goes on once the service has it.
func (q Terms) Choose(id string) panel.Effect {
	if id != "yes" {
		return nil
	}
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		if err := q.Accept.AcceptTerms(ctx, q.Model.ID); err != nil {
			p := session.ProblemOf(err, time.Now())
			return panel.Notice{Text: "Couldn't agree to the terms of " + q.name() + ": " + style.VisibleLine(p.What), Warn: true}
		}
		return panel.All{panel.TermsAccepted{ID: q.Model.ID}, q.Then}
	}}
}
