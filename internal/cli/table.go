package cli

import (
	"io"
	"os"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"parley/ui/md/cells"
)

// list is what a command prints in columns.
type list struct {
	// head names the columns on a terminal. plainHead prints the names elsewhere, too.
	head      []string
	plainHead bool
	rows      [][]string
	// most bounds a cell where there is no terminal, in columns.
	most int
}

const (
	// columnGap is the number of columns between two cells on a terminal.
	columnGap = 2
	// leastLast is the least width of the last column; lines may then be wider than the terminal.
	leastLast = 40
)

// list prints a list: on a terminal with a head and within its width, elsewhere in plain columns.
func (p pages) list(l list) error {
	f := p.out.terminal()
	if f == nil {
		rows := l.rows
		if l.plainHead {
			rows = append([][]string{l.head}, rows...)
		}
		return p.out.table(l.most, rows)
	}
	if len(l.rows) == 0 {
		return nil
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width < 20 {
		width = 80
	}
	return p.draw(f, l, width)
}

// draw draws a list of visible cells. Only the last column wraps: ids and paths before it are there to be copied.
func (p pages) draw(f *os.File, l list, width int) error {
	last, before := len(l.head)-1, 0
	rows := make([][]string, len(l.rows))
	natural := make([]int, len(l.head))
	for i, row := range append([][]string{l.head}, l.rows...) {
		for j, text := range row {
			text = cells.Truncate(cells.OneLine(text), maxMessage, "…", cells.WcWidth)
			natural[j] = max(natural[j], lipgloss.Width(text))
			if i > 0 {
				rows[i-1] = append(rows[i-1], text)
			}
		}
	}
	for _, n := range natural[:last] {
		before += n + columnGap
	}
	widest := min(natural[last], max(width-before, leastLast))
	cell := lipgloss.NewStyle().PaddingRight(columnGap)
	end := lipgloss.NewStyle().Width(widest)
	t := table.New().Headers(l.head...).Rows(rows...).Wrap(true).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).BorderColumn(false).
		BorderStyle(lipgloss.NewStyle().Faint(true)).
		StyleFunc(func(row, col int) lipgloss.Style {
			s := cell
			if col == last {
				s = end
			}
			if row == table.HeaderRow {
				s = s.Bold(true)
			}
			return s
		})
	_, err := io.WriteString(colorprofile.NewWriter(f, p.environ), t.Render()+"\n")
	return err
}
