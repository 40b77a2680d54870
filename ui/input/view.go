package input

import (
	"github.com/charmbracelet/x/ansi"

	"parley/ui/style"
	"parley/ui/textarea"
)

// Restyle takes over a changed look.
func (m *Model) Restyle() {
	th := m.o.Look.Theme
	m.looks = textarea.Looks{Chip: th.Accent.Of, Hidden: th.Warn.Of, Placeholder: th.Dim.Of, Selected: reversed, Hint: m.looks.Hint}
	m.composer.SetLooks(m.looks)
	m.composer.SetWidthMethod(m.o.Look.Measure.Method == ansi.GraphemeWidth)
}

// Suggest sets what an empty field shows while nothing is attached.
func (m *Model) Suggest(hint string) {
	if len(m.attached) > 0 {
		hint = ""
	}
	if hint != m.looks.Hint {
		m.looks.Hint = hint
		m.composer.SetLooks(m.looks)
	}
}

// reversed returns selected text.
func reversed(s string) string { return "\x1b[7m" + s + "\x1b[27m" }

// Want returns how many rows the field needs at a width, at most limit.
func (m *Model) Want(width, limit int) int {
	rows, _, _ := m.Rows(width, limit)
	return len(rows)
}

// Rows returns at most limit rows of the field, or the one of the open search, and the cell of the cursor.
func (m *Model) Rows(width, limit int) (rows []string, x, y int) {
	if m.search != nil {
		return m.search.field(m.o.Look, width)
	}
	th := m.o.Look.Theme
	m.composer.SetSize(width-style.GutterWidth, limit)
	v := m.composer.View()
	rows = make([]string, len(v.Rows))
	for i, r := range v.Rows {
		mark := "  "
		switch {
		case i == 0 && v.Above:
			mark = th.Dim.Of("↑") + " "
		case i == 0:
			mark = th.Accent.Of(">") + " "
		case i == len(v.Rows)-1 && v.Below:
			mark = th.Dim.Of("↓") + " "
		}
		rows[i] = mark + r
	}
	return rows, style.GutterWidth + v.X, v.Y
}

// WantList returns how many rows the list above the field needs: prompts that match the search, or candidates.
func (m *Model) WantList() int {
	if m.search != nil {
		return m.search.want()
	}
	if all, _ := m.completion.List(); len(all) > 0 || m.completion.noFiles(&m.finder) == "" {
		return len(all)
	}
	return 1
}

// ListRows returns at most limit rows of the list above the field.
func (m *Model) ListRows(limit int) []string {
	switch said := m.completion.noFiles(&m.finder); {
	case m.search != nil:
		return m.search.rows(m.o.Look, limit)
	case limit <= 0:
		return nil
	case said != "":
		return []string{"    " + m.o.Look.Theme.Dim.Of(said)}
	}
	return m.completion.rows(m.o.Look, limit)
}
