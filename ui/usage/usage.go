package usage

import (
	"parley/internal/human"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// List lists what the session cost and what is left of the plan: names with their figures, in rows of at most Width columns, of any length for 0.
// There is nothing to choose.
type List struct {
	Lines   [][2]string
	Measure style.Measure
	Width   int
}

// Options returns the texts of the list.
func (l List) Options() list.Options {
	return list.Options{Title: "Usage", Keys: "esc goes back", None: "nothing is known"}
}

// Rows returns the figures.
func (l List) Rows() []list.Row {
	var rows []list.Row
	for _, line := range l.Lines {
		for i, s := range l.wrapped(line[0] + ": " + line[1]) {
			if i > 0 {
				s = "  " + s
			}
			rows = append(rows, list.Row{ID: line[0] + human.Number(i), Cells: []string{s}})
		}
	}
	return rows
}

// wrapped returns the rows of a text, one without a width.
func (l List) wrapped(text string) []string {
	if l.Width <= 0 {
		return []string{text}
	}
	return l.Measure.Wrap(text, max(20, l.Width))
}

// Choose does nothing.
func (l List) Choose(string) panel.Effect { return nil }
