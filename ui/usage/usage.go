package usage

import (
	"parley/ui/list"
	"parley/ui/panel"
)

// List lists what the session cost and what is left of the plan: names with their figures. There is nothing to choose.
type List struct{ Lines [][2]string }

// Options returns the texts of the list.
func (l List) Options() list.Options {
	return list.Options{Title: "Usage", Keys: "esc back", None: "Nothing is known yet", Plain: true, Prose: 1}
}

// Rows returns the figures.
func (l List) Rows() []list.Row {
	var rows []list.Row
	for _, line := range l.Lines {
		rows = append(rows, list.Row{ID: line[0], Cells: []string{line[0], line[1]}})
	}
	return rows
}

// Choose does nothing.
func (l List) Choose(string) panel.Effect { return nil }
