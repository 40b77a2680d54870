package queue

import (
	"parley/internal/human"
	"parley/session"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// List lists the prompts that wait to be sent. Steered are those that the running turn takes at its next step.
type List struct {
	Prompts []session.Prompt
	Steered map[session.PromptID]bool
}

// Options returns the texts of the list.
func (l List) Options() list.Options {
	return list.Options{Title: "Queue", One: "prompt", Keys: "enter edit · alt+↑ alt+↓ move · ctrl+x drop · esc back", None: "The queue is empty",
		Moves: true, Drops: true, Wraps: true}
}

// Rows returns the prompts in their order.
func (l List) Rows() []list.Row {
	var rows []list.Row
	for i, p := range l.Prompts {
		place := human.Number(i + 1)
		if l.Steered[p.ID] {
			place = "next step"
		}
		rows = append(rows, list.Row{ID: string(p.ID), Cells: []string{style.VisibleLine(p.Text), place}})
	}
	return rows
}

// Choose takes a prompt back.
func (l List) Choose(id string) panel.Effect { return panel.Reclaim{ID: session.PromptID(id)} }

// Do moves a prompt, or removes it.
func (l List) Do(a list.Action) panel.Effect {
	switch a := a.(type) {
	case list.Moved:
		return panel.Move{ID: session.PromptID(a.Row.ID), By: a.By}
	case list.Dropped:
		return panel.Drop{ID: session.PromptID(a.Row.ID)}
	}
	return nil
}
