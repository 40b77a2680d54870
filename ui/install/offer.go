package install

import (
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Offer asks whether to install a runtime.
type Offer struct{ Runtime core.RuntimeOffer }

// Options returns the texts of the list.
func (l Offer) Options() list.Options {
	return list.Options{Title: "Install " + style.Visible(style.OneLine(l.Runtime.Title)) + "?", Keys: list.ChooseKeys}
}

// Rows returns yes and no.
func (l Offer) Rows() []list.Row {
	return []list.Row{{ID: "yes", Cells: []string{"install it now" + l.Runtime.Size()}}, {ID: "no", Cells: []string{"not now"}}}
}

// Choose installs the runtime for yes.
func (l Offer) Choose(id string) panel.Effect {
	if id != "yes" {
		return nil
	}
	return panel.Install{}
}
