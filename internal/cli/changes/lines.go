package changes

import (
	"strings"

	"charm.land/lipgloss/v2"

	"parley/internal/cli/output"
	"parley/ui/md/cells"
)

// The styles of a patch, those of git.
var (
	added   = lipgloss.NewStyle().Foreground(lipgloss.Green)
	removed = lipgloss.NewStyle().Foreground(lipgloss.Red)
	hunk    = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
)

// patchLines returns the visible lines of a patch in colors.
func patchLines(text string) []string {
	raw := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	shown := endsDiffer(raw)
	lines := make([]string, 0, len(raw))
	within := false // a hunk
	for _, line := range raw {
		style := output.Plain
		switch {
		case strings.HasPrefix(line, "@@"):
			within, style = true, hunk
		case strings.HasPrefix(line, "diff "), !within && line != "" && line[0] != '#':
			within, style = false, output.Bold
		case strings.HasPrefix(line, "+"):
			style = added
		case strings.HasPrefix(line, "-"):
			style = removed
		case strings.HasPrefix(line, "#"), strings.HasPrefix(line, `\`):
			style = output.Faint
		}
		if !shown || strings.HasPrefix(line, " ") {
			line = strings.TrimSuffix(line, "\r")
		}
		lines = append(lines, style.Render(strings.ReplaceAll(cells.Visible(line), "\t", "        ")))
	}
	return lines
}

// endsDiffer reports whether some changed lines end with a carriage return and others do not.
func endsDiffer(lines []string) bool {
	with, without := false, false
	for _, line := range lines {
		if line != "" && (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "+++ ") && !strings.HasPrefix(line, "--- ") {
			cr := strings.HasSuffix(line, "\r")
			with, without = with || cr, without || !cr
		}
	}
	return with && without
}
