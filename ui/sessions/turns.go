package sessions

import (
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Turns lists the turns that a copy of the session can end with, the newest first.
type Turns struct {
	Points []core.ForkPoint
	At     time.Time // the present time
}

// Options returns the texts of the list.
func (l Turns) Options() list.Options {
	return list.Options{Title: "Fork up to", One: "turn", Keys: "enter go on in the copy · esc back", None: "No turns yet",
		Wraps: true}
}

// Rows returns the turns. One without an answer cannot be chosen.
func (l Turns) Rows() []list.Row {
	var rows []list.Row
	for _, p := range l.Points {
		off, when := "", ""
		if !p.Answered {
			off = "has no answer"
		}
		if !p.Turn.Started.IsZero() {
			when = human.Age(l.At.Sub(p.Turn.Started))
		}
		rows = append(rows, list.Row{ID: string(p.Turn.ID), Cells: []string{style.VisibleLine(p.Turn.Prompt.Text), when}, Off: off, Number: p.Number})
	}
	return rows
}

// Choose forks the session after a turn.
func (l Turns) Choose(id string) panel.Effect { return panel.Fork{After: session.TurnID(id)} }

// First returns the turn to select: at if the copy can end with it, else the newest that it can end with.
func (l Turns) First(at session.TurnID) session.TurnID {
	var first session.TurnID
	for _, p := range l.Points {
		if p.Answered && p.Turn.ID == at {
			return at
		}
		if p.Answered && first == "" {
			first = p.Turn.ID
		}
	}
	if first == "" && len(l.Points) > 0 {
		return l.Points[len(l.Points)-1].Turn.ID
	}
	return first
}
