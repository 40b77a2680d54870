package notice

import (
	"slices"
	"strconv"
	"time"

	"parley/internal/human"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Said is something that was reported. Its text is visible.
type Said struct {
	At   time.Time
	Text string
	Warn bool
	Do   panel.Effect // shows it again
}

// List lists what was reported: by parley for a few seconds, and by the agent in the conversation.
type List struct {
	All []Said
	At  time.Time // the present time
}

// Options returns the texts of the list.
func (l List) Options() list.Options {
	return list.Options{Title: "Notices", One: "notice", Keys: "enter show where it was said · esc back", None: "No notices yet", Peeks: true,
		PeeksFrom: style.MinHeight} // the status line may have cut it
}

// Rows returns the notices, the newest first.
func (l List) Rows() []list.Row {
	order := make([]int, len(l.All))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return l.All[b].At.Compare(l.All[a].At) })
	rows := make([]list.Row, 0, len(l.All))
	for _, i := range order {
		lead := "  "
		if l.All[i].Warn {
			lead = "! "
		}
		rows = append(rows, list.Row{ID: strconv.Itoa(i), Cells: []string{lead + l.All[i].Text, human.Age(l.At.Sub(l.All[i].At))},
			About: []string{l.All[i].Text}})
	}
	return rows
}

// Choose shows a notice again.
func (l List) Choose(id string) panel.Effect {
	if i, err := strconv.Atoi(id); err == nil && i < len(l.All) {
		return l.All[i].Do
	}
	return nil
}
