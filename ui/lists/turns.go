package lists

import (
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/chat"
	"parley/ui/picker"
)

// Turns lists the turns that a copy of the session can end with, the newest first.
type Turns struct {
	Points []chat.ForkPoint
	At     time.Time // the present time
}

// Options returns the texts of the list.
func (l Turns) Options() picker.Options {
	return picker.Options{Title: "Fork: the copy ends with", Keys: "enter goes on in the copy · esc goes back", None: "there is no turn yet",
		Wraps: true}
}

// Rows returns the turns. One without an answer cannot be chosen.
func (l Turns) Rows() []picker.Row {
	var rows []picker.Row
	for _, p := range l.Points {
		off, when := "", ""
		if !p.Answered {
			off = "has no answer"
		}
		if !p.Turn.Started.IsZero() {
			when = human.Age(l.At.Sub(p.Turn.Started))
		}
		rows = append(rows, picker.Row{ID: string(p.Turn.ID), Cells: []string{visible(p.Turn.Prompt.Text), when}, Off: off})
	}
	return rows
}

// Choose forks the session after a turn.
func (l Turns) Choose(id string) Action { return ForkAfter{session.TurnID(id)} }

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

// Queue lists the prompts that wait to be sent. Steered are those that the running turn takes at its next step.
type Queue struct {
	Prompts []session.Prompt
	Steered map[session.PromptID]bool
}

// Options returns the texts of the list.
func (l Queue) Options() picker.Options {
	return picker.Options{Title: "Queue", Keys: "enter edits it · alt+↑ alt+↓ moves it · ctrl+x drops it · esc goes back", None: "the queue is empty",
		Moves: true, Drops: true, Wraps: true}
}

// Rows returns the prompts in their order.
func (l Queue) Rows() []picker.Row {
	var rows []picker.Row
	for i, p := range l.Prompts {
		place := human.Number(i + 1)
		if l.Steered[p.ID] {
			place = "next step"
		}
		rows = append(rows, picker.Row{ID: string(p.ID), Cells: []string{visible(p.Text), place}})
	}
	return rows
}

// Choose takes a prompt back.
func (l Queue) Choose(id string) Action { return Reclaim{session.PromptID(id)} }
