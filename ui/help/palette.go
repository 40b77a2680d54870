package help

import (
	"strings"

	"parley/ui/keymap"
	"parley/ui/list"
	"parley/ui/panel"
)

// Palette lists the commands that can do something now, then what keys do apart from writing.
type Palette struct {
	Commands []keymap.Slash
	Keys     *keymap.Map
}

// Options returns the texts of the list.
func (l Palette) Options() list.Options {
	return list.Options{Title: "Commands and keys", Keys: "enter do it · esc back", Prose: 2}
}

// Rows returns the commands and the keys.
func (l Palette) Rows() []list.Row {
	var rows []list.Row
	for _, c := range l.Commands {
		rows = append(rows, list.Row{ID: "/" + c.Name, Cells: []string{"/" + c.Name, l.Keys.KeyOf(c.Name), c.Help}})
	}
	for _, b := range l.Keys.Rows {
		if b.Act == keymap.None || b.Empty || b.Act == keymap.RunCommand {
			continue
		}
		key := ""
		if len(b.Keys) > 0 {
			key = b.Keys[0]
		}
		rows = append(rows, list.Row{ID: b.Name, Cells: []string{b.Name, key, b.Help}})
	}
	return rows
}

// Choose runs a command, or does what a key does.
func (l Palette) Choose(id string) panel.Effect {
	if name, ok := strings.CutPrefix(id, "/"); ok {
		return panel.Command{Name: name}
	}
	for _, b := range l.Keys.Rows {
		if b.Name == id {
			return panel.Key{Bound: keymap.Bound{Act: b.Act, Command: b.Name}}
		}
	}
	return nil
}
