package rewind

import (
	"slices"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/changes"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// point is a prompt that a session can go back to before.
type point struct {
	number  int // of its turn, from 1
	turn    session.TurnID
	prompt  session.Prompt
	started time.Time
	// after is the turn that the conversation ends with then, the newest one before the prompt that was answered; "" for none.
	after session.TurnID
	// skipped counts the prompts between that turn and this one, which were not answered.
	skipped  int
	answered bool                    // the turn was, so that a copy can end with it
	turns    map[session.TurnID]bool // that go back
	// made is what their calls changed and what is not undone, in so many files.
	made  []changes.ChangeID
	files int
}

// pointsOf returns the prompts of a transcript, the newest first.
func pointsOf(t *session.Transcript) []point {
	var points []point
	after, skipped := session.TurnID(""), 0
	for i, turn := range t.Turns {
		if turn.ID == "" || turn.Prompt.Text == "" && len(turn.Prompt.Attachments) == 0 {
			continue
		}
		p := point{number: i + 1, turn: turn.ID, prompt: turn.Prompt, started: turn.Started, after: after, skipped: skipped, answered: core.Answered(turn), turns: map[session.TurnID]bool{}}
		for _, later := range t.Turns[i:] {
			p.turns[later.ID] = true
		}
		points = append(points, p)
		if skipped++; p.answered {
			after, skipped = turn.ID, 0
		}
	}
	slices.Reverse(points)
	return points
}

// count finds what changed in files since a prompt. all are the changes of the session.
func count(p *point, all []changes.Change) {
	paths := map[string]bool{}
	for _, c := range all {
		if p.turns[c.Turn] && c.Status != changes.Undone {
			p.made, paths[c.Path] = append(p.made, c.ID), true
		}
	}
	p.files = len(paths)
}

// prompts lists the prompts to go back to.
type prompts struct {
	points []point
	at     time.Time
	runs   bool // a turn runs, which is stopped
	choose func(point) panel.Effect
}

// Options returns the texts of the list.
func (l prompts) Options() list.Options {
	keys := "enter choose what goes back · esc back"
	if l.runs {
		keys = "enter stop the turn and choose what goes back · esc back"
	}
	return list.Options{Title: "Rewind to before", One: "prompt", Keys: keys, None: "No prompts yet", Wraps: true}
}

// Rows returns the prompts, with how many files changed since.
func (l prompts) Rows() []list.Row {
	var rows []list.Row
	for _, p := range l.points {
		since, when := "", ""
		if p.files > 0 {
			since = human.Count(p.files, "file", "files") + " changed since"
		}
		if !p.started.IsZero() {
			when = human.Age(l.at.Sub(p.started))
		}
		rows = append(rows, list.Row{ID: string(p.turn), Cells: []string{promptWords(p), since, when}, Number: p.number})
	}
	return rows
}

// promptWords returns the first line of the prompt.
func promptWords(p point) string {
	if p.prompt.Text == "" {
		return "(" + human.Count(len(p.prompt.Attachments), "attachment", "attachments") + ")"
	}
	return style.VisibleLine(p.prompt.Text)
}

// Choose asks what goes back.
func (l prompts) Choose(id string) panel.Effect {
	for _, p := range l.points {
		if string(p.turn) == id {
			return l.choose(p)
		}
	}
	return nil
}
