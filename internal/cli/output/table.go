package output

import (
	"strings"

	"charm.land/lipgloss/v2"

	"parley/ui/md/cells"
)

// List is the output of a command in columns.
type List struct {
	Columns []Column
	Rows    [][]string
	// Plain replaces Rows in a pipe. Nil keeps them.
	Plain [][]string
	// Most limits the width of a cell in a pipe, in columns.
	Most int
}

// Column is a column of a list on a terminal.
type Column struct {
	Head string
	// Wraps allows the column to be narrower than its texts. Other columns hold what is there to be copied.
	Wraps bool
	// Below puts the texts below their rows where the list is wider than the terminal.
	Below bool
	// Style returns the style of a cell, nil for none.
	Style func(cell string) lipgloss.Style
}

// minColumn is the least width of a column that wraps. With less room the rows become records.
const minColumn = 16

// List prints a list: on a terminal with a head and within its width, elsewhere in plain columns.
func (o *Stream) List(l List) error {
	c := o.Canvas()
	if c.Terminal {
		return c.Print(l.lines(c.Width))
	}
	rows := l.Rows
	if l.Plain != nil {
		rows = l.Plain
	}
	return o.Table(l.Most, rows)
}

// lines draws a list: as a table if width has room for it, else as records.
func (l List) lines(width int) []string {
	if len(l.Rows) == 0 {
		return nil
	}
	texts := make([][]string, len(l.Rows))
	natural := make([]int, len(l.Columns))
	for j, col := range l.Columns {
		natural[j] = Measure.Width(col.Head)
	}
	for i, row := range l.Rows {
		for j, text := range row {
			text = cells.Truncate(cells.OneLine(text), MaxMessage, "…", cells.WcWidth)
			natural[j] = max(natural[j], Measure.Width(text))
			texts[i] = append(texts[i], text)
		}
	}
	empty := make([]bool, len(natural))
	for j := range natural {
		empty[j] = true
		for _, row := range texts {
			empty[j] = empty[j] && row[j] == ""
		}
	}
	var grid []int // the columns that the table has
	for _, below := range []bool{true, false} {
		grid = nil
		for j, col := range l.Columns {
			if !empty[j] && (below || !col.Below) {
				grid = append(grid, j)
			}
		}
		if spread(grid, natural) <= width {
			return l.table(texts, grid, natural)
		}
	}
	if widths, ok := l.narrow(grid, natural, width); ok {
		return l.table(texts, grid, widths)
	}
	return l.records(texts, width)
}

// spread returns the width of a table.
func spread(grid, widths []int) int {
	total := -columnGap
	for _, j := range grid {
		total += widths[j] + columnGap
	}
	return total
}

// narrow takes columns from the widest texts that wrap until the table fits.
func (l List) narrow(grid, natural []int, width int) ([]int, bool) {
	widths := append([]int(nil), natural...)
	for over := spread(grid, widths) - width; over > 0; over-- {
		widest := -1
		for _, j := range grid {
			if l.Columns[j].Wraps && widths[j] > minColumn && (widest < 0 || widths[j] > widths[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			return nil, false
		}
		widths[widest]--
	}
	return widths, true
}

// table draws cells in columns below bold heads and one rule. Cells that the grid leaves out go below their rows.
func (l List) table(texts [][]string, grid, widths []int) []string {
	heads := make([]string, len(l.Columns))
	in := make([]bool, len(l.Columns))
	for j, col := range l.Columns {
		heads[j] = col.Head
	}
	for _, j := range grid {
		in[j] = true
	}
	wide := spread(grid, widths)
	lines := gridRow(heads, grid, widths, func(int, string) lipgloss.Style { return Bold })
	lines = append(lines, Faint.Render(strings.Repeat("─", wide)))
	for _, row := range texts {
		lines = append(lines, gridRow(row, grid, widths, l.styleOf)...)
		for j, cell := range row {
			if in[j] || cell == "" {
				continue
			}
			for _, part := range Measure.Fold(cell, wide-2*columnGap) {
				lines = append(lines, strings.Repeat(" ", 2*columnGap)+l.styleOf(j, part).Render(part))
			}
		}
	}
	return lines
}

// gridRow draws one row, whose texts may have several lines.
func gridRow(row []string, grid, widths []int, style func(int, string) lipgloss.Style) []string {
	var lines []string
	var wide []int // the width of each line
	at := 0
	for _, j := range grid {
		for i, part := range Measure.Fold(row[j], widths[j]) {
			if i == len(lines) {
				lines, wide = append(lines, ""), append(wide, 0)
			}
			if part != "" {
				lines[i] += strings.Repeat(" ", at-wide[i]) + style(j, part).Render(part)
				wide[i] = at + Measure.Width(part)
			}
		}
		at += widths[j] + columnGap
	}
	return lines
}

// records draws each row as its first cell and the others below it, with their heads.
func (l List) records(texts [][]string, width int) (lines []string) {
	for i, row := range texts {
		if i > 0 {
			lines = append(lines, "")
		}
		title, rest := row[0], 1
		if strings.TrimSpace(l.Columns[0].Head) == "" { // a mark
			title, rest = strings.TrimSpace(title+" "+row[1]), 2
		}
		for _, part := range Measure.Fold(title, width) {
			lines = append(lines, Bold.Render(part))
		}
		var facts []Pair
		for j := rest; j < len(row); j++ {
			if row[j] != "" {
				facts = append(facts, Pair{strings.ToLower(l.Columns[j].Head), row[j]})
			}
		}
		lines = append(lines, Pairs(facts, 0, width, Faint, Plain)...)
	}
	return lines
}

// styleOf returns the style of a cell.
func (l List) styleOf(col int, cell string) lipgloss.Style {
	if style := l.Columns[col].Style; style != nil {
		return style(cell)
	}
	return Plain
}

// Quiet is the style of a column that is there to be looked up.
func Quiet(string) lipgloss.Style { return Faint }
