package models

import (
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Models lists the models of a login, by vendor. Wait is shown while they are loaded, Trouble if they cannot be listed.
type Models struct {
	All           []session.Model
	Now           string // the id of the model in use, "" for the default
	ByTokens      bool   // the plan bills by tokens, not by request
	Wait, Trouble string
}

// Options returns the texts of the list.
func (l Models) Options() list.Options {
	price := "price"
	if l.ByTokens {
		price = "credits per 1M"
	}
	return list.Options{Title: "Model", One: "model", Heads: []string{"", "window", "reply", "effort", price}, Gives: []int{2, 3, 4, 1},
		Keys: list.ChooseKeys, None: "no models", Wait: l.Wait, Trouble: l.Trouble, Peeks: true}
}

// Rows returns the models of a vendor together, vendors in the order in which they first appear.
func (l Models) Rows() []list.Row {
	var rows []list.Row
	for _, m := range l.All {
		name := m.Name
		if name == "" {
			name = m.ID
		}
		if m.Preview {
			name += " (preview)"
		}
		rows = append(rows, list.Row{ID: m.ID, Group: style.VisibleLine(m.Vendor), Off: style.VisibleLine(m.Unusable), Mark: m.ID == l.Now || l.Now == "" && m.Default,
			Cells: []string{style.VisibleLine(name), Window(m.ContextWindow), Window(m.MaxOutput), style.VisibleLine(strings.Join(m.Efforts, " ")),
				core.ModelPrice(m, l.ByTokens)},
			About: core.ModelAbout(m, l.ByTokens)})
	}
	var vendors []string
	for _, r := range rows {
		if !slices.Contains(vendors, r.Group) {
			vendors = append(vendors, r.Group)
		}
	}
	slices.SortStableFunc(rows, func(a, b list.Row) int { return slices.Index(vendors, a.Group) - slices.Index(vendors, b.Group) })
	return rows
}

// Choose chooses a model.
func (l Models) Choose(id string) panel.Effect { return panel.SetModel{ID: id} }

// Window returns a limit in tokens, "" if it is not known.
func Window(tokens int64) string {
	if tokens == 0 {
		return ""
	}
	return human.Tokens(tokens)
}

// Efforts lists the reasoning efforts of a model. Wait and Trouble are those of the models.
type Efforts struct {
	Model         *session.Model // nil if it is not known
	ID            string         // of the model
	Now           string         // the effort in use, "" for the model's own
	Wait, Trouble string
}

// Options returns the texts of the list.
func (l Efforts) Options() list.Options {
	return list.Options{Title: "Reasoning effort", One: "effort", Right: style.VisibleLine(style.ShortModel(l.ID)), Keys: list.ChooseKeys, None: "this model takes no effort",
		Wait: l.Wait, Trouble: l.Trouble}
}

// Rows returns the efforts, the model's own first.
func (l Efforts) Rows() []list.Row {
	if l.Model == nil || len(l.Model.Efforts) == 0 {
		return nil
	}
	rows := []list.Row{{ID: "", Cells: []string{"model default"}, Mark: l.Now == ""}}
	for _, e := range l.Model.Efforts {
		rows = append(rows, list.Row{ID: e, Cells: []string{style.VisibleLine(e)}, Mark: e == l.Now})
	}
	return rows
}

// Choose chooses an effort.
func (l Efforts) Choose(id string) panel.Effect { return panel.SetEffort{Effort: id} }
