package status

import (
	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// Queue is the prompts that wait to be sent.
type Queue struct {
	Prompts []session.Prompt
	// Steered are those that the running turn takes at its next step.
	Steered map[session.PromptID]bool
	// Held reports that they wait for the user, since an earlier process left them or the turn before was interrupted. Reclaim reports that the up key takes the
	// last one back: nothing is written; Asked that a question has that key.
	Held, Reclaim, Asked bool
}

// Rows returns at most limit rows of a window that is width columns wide.
func (q *Queue) Rows(l *style.Look, width, limit int) []string {
	var rows []string
	th, ms := l.Theme, l.Measure
	for i, p := range q.Prompts {
		if len(rows) == limit {
			break
		}
		text, last := style.Visible(style.OneLine(p.Text)), i == len(q.Prompts)-1
		hint := "queued"
		switch {
		case len(rows) == limit-1 && !last:
			text, hint = "… "+human.Number(len(q.Prompts)-i)+" more queued", ""
		case last && q.Reclaim && q.Held && len(q.Prompts) == 1:
			hint = "waits · enter sends it · ↑ takes it back"
		case last && q.Reclaim && q.Held:
			hint = "waits · enter sends all " + human.Number(len(q.Prompts)) + " · ↑ takes this one back"
		case last && q.Reclaim && !q.Asked:
			hint = "queued · ↑ takes it back"
		case i == 0 && !last && width >= 60:
			hint = "queued · /queue changes the order"
		}
		if hint != "" && q.Steered[p.ID] {
			hint = "goes in at the agent's next step"
		}
		rows = append(rows, "  "+ms.Spread(th.Dim.Of("> "+ms.Clip(text, width-8-ms.Width(hint))), th.Dim.Of(hint), width-4))
	}
	return rows
}
