package doctor

import (
	"charm.land/lipgloss/v2"

	"parley/internal/cli/output"
	"parley/internal/human"
)

// Print prints results, and on a terminal how many problems there are.
func Print(w *output.Stream, results []Result) error {
	checks := output.List{Most: output.MaxMessage, Plain: [][]string{}, Columns: []output.Column{{Head: " ", Style: markStyle}, {Head: "CHECK"}, {Head: "RESULT", Wraps: true}}}
	bad := 0
	for _, r := range results {
		mark, plain, text := "✓", "ok", r.Found
		if !r.OK {
			mark, plain, text = "!", "!!", r.Problem
			bad++
		}
		checks.Rows = append(checks.Rows, []string{mark, r.Check, text})
		checks.Plain = append(checks.Plain, []string{plain, r.Check, text})
	}
	if err := w.List(checks); err != nil || w.Terminal() == nil {
		return err
	}
	if bad == 0 {
		return w.Canvas().Print([]string{"", "No problems found."})
	}
	return w.Canvas().Print([]string{"", human.Count(bad, "problem", "problems") + " found."})
}

// markStyle returns the style of the mark of a check.
func markStyle(mark string) lipgloss.Style {
	if mark == "!" {
		return output.Warn
	}
	return output.Good
}
