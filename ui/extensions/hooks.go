package extensions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/list"
	"parley/ui/style"
)

// took returns how long a run took: most take a few milliseconds.
func took(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return human.Spent(d)
}

// history returns the rows of the last runs.
func (l *listing) history() (rows []list.Row) {
	for i, r := range slices.Backward(l.runs) {
		about := []string{style.VisibleLine(r.Runs), r.Event + ", " + human.Ago(l.Look.Now().Sub(r.At)) + ", took " + took(r.Took) + ": " + style.VisibleLine(r.Outcome) + "."}
		if r.Said != "" {
			for line := range strings.Lines(r.Said) {
				about = append(about, style.VisibleLine(line))
			}
		}
		rows = append(rows, list.Row{ID: fmt.Sprint("run ", i), Group: "last runs", Cells: []string{style.VisibleLine(r.Runs), "", style.VisibleLine(r.Event),
			took(r.Took), style.VisibleLine(r.Outcome)}, About: append(about, "File: "+style.VisibleLine(style.ShortPath(r.From, l.Look.Home)))})
	}
	return rows
}

// events returns the rows of the events. all means that they stand below something else.
func events(below bool) (rows []list.Row) {
	for i, e := range session.HookEvents {
		var agents []string
		if e.Builtin {
			agents = append(agents, "parley")
		}
		if e.Claude {
			agents = append(agents, "Claude")
		}
		about := []string{strings.ToUpper(e.About[:1]) + e.About[1:] + "."}
		if e.Copilot != "" {
			agents = append(agents, "Copilot")
			about = append(about, "Copilot calls it "+e.Copilot+".")
		}
		if e.Matched != "" {
			about = append(about, "A matcher is compared with: "+e.Matched+".")
		}
		about = append(about, "Runs with "+human.And(agents)+". Claude Code and Copilot run their hooks themselves.")
		row := list.Row{ID: fmt.Sprint("event ", i), Cells: []string{e.Name, "", strings.Join(agents, " "), "", e.About}, About: about}
		if below {
			row.Group = "events, and which agents have them"
		}
		rows = append(rows, row)
	}
	return rows
}
