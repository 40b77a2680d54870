package printed

import (
	"strings"

	"parley/ui/style"
)

// tables prints the tables of a markdown text as aligned words. It sees all lines of the text once, in their order. The zero value is at
// the beginning of a text.
type tables struct{ fence string }

// open returns how many of the last lines may belong to a table that goes on.
func (t *tables) open(lines []string) (n int) {
	for n < len(lines) && isRow(lines[len(lines)-1-n]) {
		n++
	}
	return n
}

// align returns lines with each table as aligned words.
func (t *tables) align(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case t.fence != "":
			if strings.HasPrefix(line, t.fence) {
				t.fence = ""
			}
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			t.fence = line[:3]
		case i+1 < len(lines) && isRow(line) && isRuler(lines[i+1]):
			end := i + 2
			for end < len(lines) && isRow(lines[end]) {
				end++
			}
			out = append(out, aligned(append([]string{lines[i]}, lines[i+2:end]...))...)
			i = end - 1
			continue
		}
		out = append(out, lines[i])
	}
	return out
}

// isRow reports whether a line is a row of a table.
func isRow(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") }

// isRuler reports whether a line separates the head of a table from its body.
func isRuler(line string) bool {
	return isRow(line) && strings.Contains(line, "-") && strings.Trim(line, "|:- \t") == ""
}

// aligned returns the rows of a table with columns as wide as their widest cell.
func aligned(rows []string) []string {
	var all [][]string
	var widths []int
	var ms style.Measure
	for _, r := range rows {
		cells := strings.Split(strings.ReplaceAll(strings.Trim(strings.TrimSpace(r), "|"), `\|`, "\x00"), "|")
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(c), "\x00", "|")
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], ms.Width(cells[i]))
		}
		all = append(all, cells)
	}
	var out []string
	for _, cells := range all {
		var b strings.Builder
		for i, c := range cells {
			b.WriteString(ms.Pad(c, widths[i]) + "  ")
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}
