package list

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// valued are rows of which two have values to choose from.
func valued() []Row {
	levels := []string{"low", "medium", "high"}
	return []Row{
		{ID: "a", Cells: []string{"apple", "medium", "sweet"}, Values: levels},
		{ID: "b", Cells: []string{"banana", "low", "soft"}, Values: levels},
		{ID: "c", Cells: []string{"cherry", "", "sour"}},
		{ID: "d", Cells: []string{"date", "low", "dry"}, Values: []string{"low"}},
	}
}

// ← and → change the value of the selected row as far as there are any; what is chosen has it, and new rows keep it.
func TestValuesTurn(t *testing.T) {
	left, right, down, enter := key(tea.KeyLeft, 0), key(tea.KeyRight, 0), key(tea.KeyDown, 0), key(tea.KeyEnter, 0)
	for _, tt := range []struct {
		name string
		keys []tea.KeyPressMsg
		want string // the kind of the last action, and the value of its row
	}{
		{"right", []tea.KeyPressMsg{right}, "Turned high"},
		{"left", []tea.KeyPressMsg{left}, "Turned low"},
		{"the last one stays", []tea.KeyPressMsg{right, right}, "nil"},
		{"enter picks it", []tea.KeyPressMsg{right, enter}, "Picked high"},
		{"a key of the list gets it", []tea.KeyPressMsg{left, key('d', tea.ModCtrl)}, "Acted low"},
		{"each row has its own", []tea.KeyPressMsg{right, down, right, enter}, "Picked medium"},
		{"a row without values has none", []tea.KeyPressMsg{down, down, right}, "nil"},
		{"one value is no choice", []tea.KeyPressMsg{down, down, down, right}, "nil"},
		{"what is typed filters", []tea.KeyPressMsg{key('d', 0), key('a', 0), enter}, "Picked low"},
	} {
		p := sized(Options{Value: 1, Offers: []Offer{{Name: "keep", Letter: "d", Key: "ctrl+d"}}}, valued(), 80, 20)
		var got Action
		for _, k := range tt.keys {
			got = p.Update(k)
		}
		if s := told(got); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}

// told returns the kind of an action with the value of its row.
func told(a Action) string {
	switch a := a.(type) {
	case nil:
		return "nil"
	case Turned:
		return "Turned " + a.Row.Cells[1]
	case Picked:
		return "Picked " + a.Row.Cells[1]
	case Acted:
		return "Acted " + a.Row.Cells[1]
	}
	return reflect.TypeOf(a).String()
}

// New rows keep what the user turned to, unless a choice leaves the list open: then the source knows better.
func TestNewRowsKeepTurnedValues(t *testing.T) {
	for stays, want := range map[bool]string{false: "high", true: "medium"} {
		p := sized(Options{Value: 1, Stays: stays}, valued(), 80, 20)
		p.Update(key(tea.KeyRight, 0))
		rows := valued()
		p.setRows(rows)
		if r, _ := p.Selected(); r.Cells[1] != want {
			t.Errorf("stays %v: %q, want %q", stays, r.Cells[1], want)
		}
	}
	rows := valued()
	cells := rows[0].Cells
	p := sized(Options{Value: 1}, rows, 80, 20)
	p.Update(key(tea.KeyRight, 0))
	if cells[1] != "medium" {
		t.Error("the cells of the source changed")
	}
}

// The selected value has a mark where another one is, and nothing else moves as it changes.
func TestValuesAreFramed(t *testing.T) {
	p := sized(Options{Title: "Fruit", Value: 1, Heads: []string{"fruit", "level", "taste"}}, valued(), 80, 20)
	for _, want := range []string{"❯ apple   ‹ medium ›  sweet", "❯ apple   ‹ high      sweet"} {
		text := screen(t, p, 80, 20)
		for _, row := range []string{want, "    banana    low       soft", "    cherry              sour", "    fruit     level     taste"} {
			if !strings.Contains(text, row) {
				t.Errorf("%q is missing:\n%s", row, text)
			}
		}
		p.Update(key(tea.KeyRight, 0))
	}
}

// A name is not cut while another column can be left out, the value stays even where the name has to be wrapped, and a preview may
// stand below in a wide window, too.
func TestWholeNamesAndPreviewBelow(t *testing.T) {
	name := "a name of no less than thirty-six cells"
	rows := []Row{{ID: "1", Cells: []string{name, "medium", "400k"}, Values: []string{"low", "medium"}, About: []string{"what it is"}}}
	o := Options{Title: "Fruit", Value: 1, Whole: true, Wraps: true, Gives: []int{2}, Peeks: true, Below: true, Keys: "esc back"}
	for _, w := range widths {
		text := screen(t, sized(o, rows, w, 30), w, 30)
		if w >= 60 && !strings.Contains(text, name) || !strings.Contains(text, "cells") || !strings.Contains(text, "medium") {
			t.Errorf("%d columns: the name is cut:\n%s", w, text)
		}
		if strings.Contains(text, "┆") || !strings.Contains(text, "what it is") {
			t.Errorf("%d columns: the preview is not below:\n%s", w, text)
		}
	}
}

// What is offered for a row takes as many rows as it needs, each offer whole, and the row stays on the screen.
func TestOffersAreWhole(t *testing.T) {
	var offers []Offer
	for _, name := range []string{"rename", "tag", "pin", "archive", "fork", "delete"} {
		offers = append(offers, Offer{Name: name, Letter: name[:1], Key: "alt+" + name[:1]})
	}
	p := sized(Options{Offers: offers}, valued(), 40, 8)
	p.Update(key(tea.KeyUp, 0)) // the last row
	p.Update(key(tea.KeyTab, 0))
	text := screen(t, p, 40, 8)
	if !strings.HasSuffix(text, "\n  r rename  t tag  p pin  a archive\n  f fork  d delete") || !strings.Contains(text, "❯") {
		t.Error(text)
	}
}
