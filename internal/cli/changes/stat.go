package changes

import (
	"context"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session/changes"
	"parley/session/changes/patch"
	"parley/ui/md/cells"
)

// fileStat is a file in the statistics of changes.
type fileStat struct {
	name   string
	status changes.Status
	patch.Counts
}

// PrintStat prints each file with its lines and what the user said about it, and the sums. Of files that were undone it prints
// what was undone; they are not part of the sums.
func (s *Session) PrintStat(ctx context.Context, all []changes.Change) error {
	standing := Standing(all)
	has := map[string]bool{}
	for _, c := range standing {
		has[c.Path] = true
	}
	var undone []changes.Change
	for _, c := range all {
		if !has[c.Path] {
			undone = append(undone, c)
		}
	}
	var stats []fileStat
	for _, file := range append(patch.Net(standing), patch.Net(undone)...) {
		// Counted as the patch is, byte for byte.
		counts, err := patch.Count(file, patch.Exact(ctx, s.Store))
		if err != nil {
			return err
		}
		name := patch.Name(s.Root, file.Path)
		if file.From != "" {
			name = patch.Name(s.Root, file.From) + " => " + name
		}
		stats = append(stats, fileStat{cells.OneLine(name), file.Status, counts})
	}
	c := s.Out.Canvas()
	return c.Print(statLines(stats, c.Width))
}

// statusNames are the statuses as the screen names them.
var statusNames = map[changes.Status]string{changes.Open: "not accepted", changes.Accepted: "accepted", changes.Undone: "undone"}

// The least columns of the names and of the bars of statistics.
const (
	minName = 8
	minBar  = 6
	maxBar  = 40
)

// statLines draws statistics within a width.
func statLines(stats []fileStat, width int) []string {
	wide, digits, most := 0, 1, 1
	for _, s := range stats {
		wide = max(wide, output.Measure.Width(s.name))
		digits = max(digits, len(s.number()))
		most = max(most, s.Added+s.Removed)
	}
	const status = len("not accepted")
	rest := width - len("  | ") - digits - 2 - status - 1
	bar := min(most, maxBar, max(minBar, rest-wide))
	wide = min(wide, max(minName, rest-bar))
	var lines []string
	for _, s := range stats {
		plus, minus := scaled(s.Added, most, bar), scaled(s.Removed, most, bar)
		for plus+minus > bar { // both were rounded up
			if plus >= minus {
				plus--
			} else {
				minus--
			}
		}
		name := fitted(s.name, wide)
		line := " " + name + strings.Repeat(" ", wide-output.Measure.Width(name)) + " | " + fmt.Sprintf("%*s ", digits, s.number())
		line += added.Render(strings.Repeat("+", plus)) + removed.Render(strings.Repeat("-", minus)) + strings.Repeat(" ", bar-plus-minus)
		lines = append(lines, line+"  "+statusStyle(s.status).Render(statusNames[s.status]))
	}
	return append(lines, " "+sums(stats))
}

// number returns the count of lines, or what there is instead.
func (s fileStat) number() string {
	switch {
	case s.Binary:
		return "Bin"
	case s.Unkept:
		return "?"
	}
	return fmt.Sprint(s.Added + s.Removed)
}

// statusStyle returns the style of a status: what asks for a decision stands out.
func statusStyle(s changes.Status) lipgloss.Style {
	if s == changes.Open {
		return output.Plain
	}
	return output.Faint
}

// scaled returns the length of a bar, at least 1 for anything but nothing.
func scaled(n, most, bar int) int {
	if n == 0 || most <= bar {
		return n
	}
	return max(1, n*bar/most)
}

// fitted shortens a name from its beginning, because its end tells files apart.
func fitted(name string, width int) string {
	if output.Measure.Width(name) <= width {
		return name
	}
	runes := []rune(name)
	for len(runes) > 0 && output.Measure.Width(string(runes))+1 > width {
		runes = runes[1:]
	}
	return "…" + string(runes)
}

// sums returns the last line of statistics.
func sums(stats []fileStat) string {
	files, plus, minus, open, undone := 0, 0, 0, 0, 0
	for _, s := range stats {
		switch s.status {
		case changes.Undone:
			undone++
			continue
		case changes.Open:
			open++
		}
		files, plus, minus = files+1, plus+s.Added, minus+s.Removed
	}
	text := human.Count(files, "file", "files") + " changed"
	if plus > 0 || files > 0 && minus == 0 {
		text += ", " + human.Count(plus, "insertion(+)", "insertions(+)")
	}
	if minus > 0 || files > 0 && plus == 0 {
		text += ", " + human.Count(minus, "deletion(-)", "deletions(-)")
	}
	if open > 0 {
		text += ", " + human.Number(open) + " not accepted"
	}
	if undone > 0 {
		text += ", " + human.Number(undone) + " undone"
	}
	return text
}
