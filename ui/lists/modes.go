package lists

import (
	"parley/session"
	"parley/ui/chat"
	"parley/ui/picker"
)

// Modes lists the permission modes. Problem returns why the agent cannot work in a mode, "" if it can.
type Modes struct {
	Now     session.Mode
	Problem func(session.Mode) string
}

// Options returns the texts of the list.
func (l Modes) Options() picker.Options {
	return picker.Options{Title: "Permission mode", Keys: chooseKeys, Prose: 1}
}

// Rows returns the modes.
func (l Modes) Rows() []picker.Row {
	var rows []picker.Row
	for _, mode := range session.Modes {
		rows = append(rows, picker.Row{ID: string(mode), Cells: []string{chat.ModeName(mode), chat.ModeAbout(mode)}, Off: visible(l.Problem(mode)),
			Mark: mode == l.Now})
	}
	return rows
}

// Choose chooses a mode.
func (l Modes) Choose(id string) Action { return SetMode{Mode: session.Mode(id)} }

// Bypass asks whether permissions are to be bypassed.
type Bypass struct{ Now session.Mode }

// Options returns the texts of the list.
func (l Bypass) Options() picker.Options {
	return picker.Options{Title: "Bypass permissions?", Text: chat.BypassMeans, Keys: "↑ ↓ select · enter chooses · esc goes back", Sure: true}
}

// Rows returns no and yes.
func (l Bypass) Rows() []picker.Row {
	return []picker.Row{{ID: "no", Cells: []string{"no, keep " + chat.ModeName(l.Now) + " mode"}}, {ID: "yes", Cells: []string{"yes, bypass permissions"}}}
}

// Choose bypasses permissions for yes.
func (l Bypass) Choose(id string) Action {
	if id != "yes" {
		return nil
	}
	return SetMode{session.ModeBypass, true}
}
