package status

import (
	"slices"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// Queue is the prompts that wait to be sent.
type Queue struct {
	Prompts []session.Prompt
	// Steered are those that the running turn takes at its next step.
	Steered map[session.PromptID]bool
	// Held are those that wait for the user, since an earlier process left them or the turn before was interrupted.
	Held map[session.PromptID]bool
	// Reclaim reports that nothing is written: the up key takes the last prompt back, enter sends those held. Asked reports that a
	// question has these keys.
	Reclaim, Asked bool

	now time.Time
}

// Rows returns at most limit rows of a window that is width columns wide.
func (q *Queue) Rows(l *style.Look, width, limit int) []string {
	var rows []string
	q.now = l.Now()
	th, ms := l.Theme, l.Measure
	for i, p := range q.Prompts {
		if len(rows) == limit {
			break
		}
		text, hint := style.VisibleLine(p.Text), q.hint(i, width)
		if len(rows) == limit-1 && i < len(q.Prompts)-1 {
			text, hint = "… "+human.Number(len(q.Prompts)-i)+" more queued", ""
		}
		rows = append(rows, "  "+ms.Spread(th.Dim.Of("> "+ms.Clip(text, width-8-ms.Width(hint))), th.Dim.Of(hint), width-4))
	}
	return rows
}

// hint returns what is said behind a prompt: that it waits, what for, and the keys that change it.
func (q *Queue) hint(i, width int) string {
	p, last := q.Prompts[i], i == len(q.Prompts)-1
	held, keys := q.Held[p.ID], q.Reclaim && !q.Asked
	words := []string{"queued"}
	switch {
	case held && width >= 60 && q.now.Before(p.After):
		words[0] = "waits " + core.ResetWords(p.After, q.now)
	case held && width >= 60:
		words[0] = "waits"
	case held:
		words = nil // the keys say it
	case q.Steered[p.ID]:
		return "goes in at the agent's next step"
	case i == 0 && !last && width >= 60:
		return "queued · /queue changes the order"
	}
	lastHeld := held && !slices.ContainsFunc(q.Prompts[i+1:], func(p session.Prompt) bool { return q.Held[p.ID] })
	narrow, n := width < 60, len(q.Held)
	switch {
	case lastHeld && keys && n > 1 && narrow:
		words = append(words, "enter sends "+human.Number(n))
	case lastHeld && keys && n > 1:
		words = append(words, "enter sends all "+human.Number(n))
	case lastHeld && keys:
		words = append(words, "enter sends it")
	case lastHeld && !q.Reclaim && !narrow:
		words = append(words, "what you write goes first")
	}
	switch {
	case last && keys && held && narrow:
		words = append(words, "↑ back")
	case last && keys && held && len(q.Prompts) > 1:
		words = append(words, "↑ takes this one back")
	case last && keys:
		words = append(words, "↑ takes it back")
	}
	if len(words) == 0 {
		return "waits"
	}
	return strings.Join(words, " · ")
}
