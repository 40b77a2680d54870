package cli

import (
	"strings"

	"charm.land/lipgloss/v2"

	"parley/ui/md/cells"
)

// list is what a command prints in columns.
type list struct {
	columns []column
	rows    [][]string
	// plain replaces rows in a pipe. Nil keeps them.
	plain [][]string
	// most limits the width of a cell in a pipe, in columns.
	most int
}

// column is a column of a list on a terminal.
type column struct {
	head string
	// wraps allows the column to be narrower than its texts. Other columns hold what is there to be copied.
	wraps bool
	// below puts the texts below their rows where the list is wider than the terminal.
	below bool
	// style returns the style of a cell, nil for none.
	style func(cell string) lipgloss.Style
}

// leastColumn is the least width of a column that wraps. With less room the rows become records.
const leastColumn = 16

// list prints a list: on a terminal with a head and within its width, elsewhere in plain columns.
func (p pages) list(l list) error {
	c := p.out.canvas()
	if c.terminal {
		return c.print(l.lines(c.width))
	}
	rows := l.rows
	if l.plain != nil {
		rows = l.plain
	}
	return p.out.table(l.most, rows)
}

// lines draws a list: as a table if width has room for it, else as records.
func (l list) lines(width int) []string {
	if len(l.rows) == 0 {
		return nil
	}
	texts := make([][]string, len(l.rows))
	natural := make([]int, len(l.columns))
	for j, col := range l.columns {
		natural[j] = measure.Width(col.head)
	}
	for i, row := range l.rows {
		for j, text := range row {
			text = cells.Truncate(cells.OneLine(text), maxMessage, "…", cells.WcWidth)
			natural[j] = max(natural[j], measure.Width(text))
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
		for j, col := range l.columns {
			if !empty[j] && (below || !col.below) {
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
func (l list) narrow(grid, natural []int, width int) ([]int, bool) {
	widths := append([]int(nil), natural...)
	for over := spread(grid, widths) - width; over > 0; over-- {
		widest := -1
		for _, j := range grid {
			if l.columns[j].wraps && widths[j] > leastColumn && (widest < 0 || widths[j] > widths[widest]) {
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
func (l list) table(texts [][]string, grid, widths []int) []string {
	heads := make([]string, len(l.columns))
	in := make([]bool, len(l.columns))
	for j, col := range l.columns {
		heads[j] = col.head
	}
	for _, j := range grid {
		in[j] = true
	}
	wide := spread(grid, widths)
	lines := gridRow(heads, grid, widths, func(int, string) lipgloss.Style { return bold })
	lines = append(lines, faint.Render(strings.Repeat("─", wide)))
	for _, row := range texts {
		lines = append(lines, gridRow(row, grid, widths, l.styleOf)...)
		for j, cell := range row {
			if in[j] || cell == "" {
				continue
			}
			for _, part := range measure.Fold(cell, wide-2*columnGap) {
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
		for i, part := range measure.Fold(row[j], widths[j]) {
			if i == len(lines) {
				lines, wide = append(lines, ""), append(wide, 0)
			}
			if part != "" {
				lines[i] += strings.Repeat(" ", at-wide[i]) + style(j, part).Render(part)
				wide[i] = at + measure.Width(part)
			}
		}
		at += widths[j] + columnGap
	}
	return lines
}

// records draws each row as its first cell and the others below it, with their heads.
func (l list) records(texts [][]string, width int) (lines []string) {
	for i, row := range texts {
		if i > 0 {
			lines = append(lines, "")
		}
		title, rest := row[0], 1
		if strings.TrimSpace(l.columns[0].head) == "" { // a mark
			title, rest = strings.TrimSpace(title+" "+row[1]), 2
		}
		for _, part := range measure.Fold(title, width) {
			lines = append(lines, bold.Render(part))
		}
		var facts []pair
		for j := rest; j < len(row); j++ {
			if row[j] != "" {
				facts = append(facts, pair{strings.ToLower(l.columns[j].head), row[j]})
			}
		}
		lines = append(lines, pairs(facts, 0, width, faint, plain)...)
	}
	return lines
}

// styleOf returns the style of a cell.
func (l list) styleOf(col int, cell string) lipgloss.Style {
	if style := l.columns[col].style; style != nil {
		return style(cell)
	}
	return plain
}

// quiet is the style of a column that is there to be looked up.
func quiet(string) lipgloss.Style { return faint }
