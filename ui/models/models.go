package models

import (
	"slices"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Models lists the models of a login, by vendor, each with the effort that it is used with. Wait is shown while they are loaded,
// Trouble if they cannot be listed.
type Models struct {
	All           []session.Model
	Now           string // the id of the model in use, "" for the default
	Effort        string // in use, "" for the model's own
	ByTokens      bool   // the plan bills by tokens, not by request
	Lasts         bool   // a choice can become the default of new sessions
	Wait, Trouble string
	// Terms agrees to the terms of models, nil where that is not possible; Look is for the question about them.
	Look  *style.Look
	Terms session.TermsAccepter
}

// The columns of the list.
const (
	columnEffort = iota + 1
	columnWindow
	columnReply
	columnTokens
	columnPrompt
	columnPurpose
)

// lastingOffer chooses a model for this session and for all new ones.
var lastingOffer = list.Offer{Name: "default from now on", Letter: "d", Key: "ctrl+d"}

// ownEffort is what the model's own effort is called, which is none of its levels.
const ownEffort = "default"

// Options returns the texts of the list.
func (l Models) Options() list.Options {
	o := list.Options{Title: "Models", One: "model", Heads: []string{"model", "effort", "window", "reply", "per 1M in / out", "per prompt", "for"},
		Gives: []int{columnPurpose, columnReply, columnWindow, columnPrompt, columnTokens}, Value: columnEffort, Whole: true, Wraps: true,
		Keys: "enter this session · ← → effort · esc back", None: "no models", Wait: l.Wait, Trouble: l.Trouble, Peeks: true, Below: true}
	o.Also = "With an effort: /model NAME EFFORT"
	if l.Lasts {
		o.Also += ". From now on: /model NAME EFFORT default"
		o.Keys, o.Offers = "enter this session · ctrl+d default from now on · ← → effort · esc back", []list.Offer{lastingOffer}
	}
	return o
}

// Rows returns the models of a vendor together, vendors in the order in which they first appear.
func (l Models) Rows() []list.Row {
	var rows []list.Row
	now := session.FindModel(l.All, l.Now)
	for _, m := range l.All {
		r := l.row(m)
		r.Mark = now != nil && m.ID == now.ID
		rows = append(rows, r)
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

// row returns the row of a model.
func (l Models) row(m session.Model) list.Row {
	name := m.Name
	if name == "" {
		name = m.ID
	}
	if m.Preview {
		name += " (preview)"
	}
	perPrompt, perTokens := "", core.TokenPrice(m)
	if !l.ByTokens {
		perPrompt = core.PromptPrice(m)
	}
	if perPrompt == perTokens { // both say that it is included
		perTokens = ""
	}
	effort, efforts := "", []string(nil)
	if len(m.Efforts) > 0 {
		effort, efforts = ownEffort, []string{ownEffort}
		for _, e := range m.Efforts {
			efforts = append(efforts, style.VisibleLine(e))
		}
		if slices.Contains(m.Efforts, l.Effort) {
			effort = style.VisibleLine(l.Effort)
		}
	}
	texts, repeats := about(m, l.ByTokens)
	off, purpose := style.VisibleLine(m.Unusable), style.VisibleLine(m.Purpose)
	if m.Terms != "" && l.Terms != nil {
		off, purpose = "", needsYes
	}
	return list.Row{ID: m.ID, Group: vendorTitle(m.Vendor), Off: off,
		Cells:  []string{style.VisibleLine(name), effort, Window(m.ContextWindow), Window(m.MaxOutput), style.VisibleLine(perTokens), perPrompt, purpose},
		Values: efforts, About: texts, Repeats: repeats}
}

// Choose chooses a model, with the effort in use if it has that.
func (l Models) Choose(id string) panel.Effect { return l.asked(id, panel.SetModel{ID: id}) }

// asked returns an effect that uses a model, after a question where its terms are open.
func (l Models) asked(id string, then panel.Effect) panel.Effect {
	if m := session.ListedModel(l.All, id); m != nil {
		return ask(l.Look, l.Terms, *m, then)
	}
	return then
}

// Do chooses a model with the effort of its row.
func (l Models) Do(a list.Action) panel.Effect {
	switch a := a.(type) {
	case list.Picked:
		return panel.All{panel.Pop{}, l.use(a.Row, false)}
	case list.Acted:
		if a.Row.Off != "" {
			return panel.Notice{Text: a.Row.Cells[0] + ": " + a.Row.Off, Warn: true}
		}
		return panel.All{panel.Pop{}, l.use(a.Row, true)}
	}
	return nil
}

// use returns the choice of a row.
func (l Models) use(r list.Row, lasting bool) panel.Effect {
	effort := ""
	if m := session.FindModel(l.All, r.ID); m != nil && len(r.Values) > 0 {
		if at := slices.Index(r.Values, r.Cells[columnEffort]); at > 0 { // the first is the model's own
			effort = m.Efforts[at-1]
		}
	}
	return l.asked(r.ID, panel.UseModel{ID: r.ID, Effort: effort, Lasting: lasting})
}

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
