package models

import (
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Modes lists the permission modes. Problem returns why the agent cannot work in a mode, "" if it can.
type Modes struct {
	Now     session.Mode
	Problem func(session.Mode) string
}

// Options returns the texts of the list.
func (l Modes) Options() list.Options {
	return list.Options{Title: "Permission mode", One: "mode", Keys: list.ChooseKeys, Prose: 1}
}

// Rows returns the modes.
func (l Modes) Rows() []list.Row {
	var rows []list.Row
	for _, mode := range session.Modes {
		rows = append(rows, list.Row{ID: string(mode), Cells: []string{core.ModeName(mode), core.ModeAbout(mode)}, Off: style.VisibleLine(l.Problem(mode)),
			Mark: mode == l.Now})
	}
	return rows
}

// Choose chooses a mode.
func (l Modes) Choose(id string) panel.Effect { return panel.SetMode{Mode: session.Mode(id)} }

// Bypass asks whether permissions are to be bypassed.
type Bypass struct{ Now session.Mode }

// Options returns the texts of the list.
func (l Bypass) Options() list.Options {
	return list.Options{Title: "Bypass permissions?", Text: core.BypassMeans, Keys: "↑ ↓ select · enter choose · esc back", Sure: true}
}

// Rows returns no and yes.
func (l Bypass) Rows() []list.Row {
	return []list.Row{{ID: "no", Cells: []string{"no, keep " + core.ModeName(l.Now) + " mode"}}, {ID: "yes", Cells: []string{"yes, bypass permissions"}}}
}

// Choose bypasses permissions for yes.
func (l Bypass) Choose(id string) panel.Effect {
	if id != "yes" {
		return nil
	}
	return panel.SetMode{Mode: session.ModeBypass, Confirmed: true}
}
