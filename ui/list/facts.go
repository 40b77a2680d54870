package list

import (
	"strconv"

	"parley/ui/panel"
	"parley/ui/style"
)

// Facts shows lines of text, in which there is nothing to choose.
type Facts struct {
	Title string
	Lines []string
}

// Options returns the texts of the list.
func (l Facts) Options() Options {
	return Options{Title: style.Visible(style.OneLine(l.Title)), Keys: "esc back", Wraps: true, Plain: true}
}

// Rows returns the lines.
func (l Facts) Rows() []Row {
	var rows []Row
	for i, line := range l.Lines {
		rows = append(rows, Row{ID: "\x00" + strconv.Itoa(i), Cells: []string{style.Visible(style.OneLine(line))}})
	}
	return rows
}

// Choose chooses nothing.
func (l Facts) Choose(string) panel.Effect { return nil }
