package models

import (
	"strings"
	"testing"

	"parley/session"
	"parley/ui/list"
	"parley/ui/list/listtest"
	"parley/ui/panel"
)

func TestLists(t *testing.T) {
	const bad = listtest.Bad
	model := session.Model{ID: "m-1", Name: bad, Vendor: bad, Efforts: []string{"low", bad}, Category: bad, Notes: []string{bad}, Unusable: bad, ContextWindow: 200_000, Price: &session.Price{Input: 1, Output: 2.5}}
	listtest.Check(t, listtest.Case{Source: Models{All: []session.Model{model}}, First: panel.SetModel{ID: "m-1"}},
		listtest.Case{Source: Efforts{Model: &model, ID: bad}, First: panel.SetEffort{}},
		listtest.Case{Source: Modes{Problem: func(session.Mode) string { return bad }}, First: panel.SetMode{Mode: session.Modes[0]}},
		listtest.Case{Source: Bypass{}})
	if a := (Bypass{}).Choose("yes"); a != (panel.SetMode{Mode: session.ModeBypass, Confirmed: true}) {
		t.Errorf("%#v", a)
	}
}

func TestModelsOfAVendorStandTogether(t *testing.T) {
	l := Models{All: []session.Model{{ID: "a1", Vendor: "A"}, {ID: "b1", Vendor: "B"}, {ID: "a2", Vendor: "A", Default: true}}}
	if got := ids(l.Rows()); got != "a1 a2* b1" {
		t.Errorf("%q", got)
	}
	l.Now = "b1"
	if got := ids(l.Rows()); got != "a1 a2 b1*" {
		t.Errorf("%q", got)
	}
}

// ids returns the ids of rows, with a star at the one in use.
func ids(rows []list.Row) string {
	var all []string
	for _, r := range rows {
		if r.Mark {
			r.ID += "*"
		}
		all = append(all, r.ID)
	}
	return strings.Join(all, " ")
}
