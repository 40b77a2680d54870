package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/picker"
)

// openPalette opens the picker of everything that can be done: the commands, and what keys do.
func (m *Model) openPalette() tea.Cmd {
	p := m.openPicker(pickPalette, picker.Options{Title: "Commands and keys", Keys: "enter does it · esc goes back"})
	p.SetRows(m.paletteRows())
	return nil
}

// paletteRows are the commands that can do something now, then the actions that are not a matter of writing.
func (m *Model) paletteRows() []picker.Row {
	var rows []picker.Row
	for _, c := range commands {
		if c.when == nil || c.when(m) {
			rows = append(rows, picker.Row{ID: "/" + c.Name, Cells: []string{"/" + c.Name, m.keyOf(c.Name), c.Help}})
		}
	}
	for _, b := range m.keys.Rows {
		if b.Act == keymap.None || b.Empty || b.Act == keymap.RunCommand || b.Act == keymap.Palette {
			continue
		}
		key := ""
		if len(b.Keys) > 0 {
			key = b.Keys[0]
		}
		rows = append(rows, picker.Row{ID: b.Name, Cells: []string{b.Name, key, b.Help}})
	}
	return rows
}

// keyOf is the user's own key for a command, "" if there is none.
func (m *Model) keyOf(command string) string {
	for _, b := range m.keys.Rows {
		if b.Act == keymap.RunCommand && b.Name == command {
			return b.Keys[0]
		}
	}
	return ""
}

// choosePalette does what was chosen, which may open another picker.
func (m *Model) choosePalette(id string) tea.Cmd {
	if name, ok := strings.CutPrefix(id, "/"); ok {
		c, known := findCommand(name)
		if !known {
			return nil
		}
		return c.run(m, "")
	}
	for _, b := range m.keys.Rows {
		if b.Name == id {
			cmd, _ := m.act(keymap.Bound{Act: b.Act, Command: b.Name})
			return cmd
		}
	}
	return nil
}
