package list

import (
	"fmt"
	"testing"

	"parley/ui/panel"
)

// rowsOf is a source of fixed rows, which are chosen by name.
type rowsOf struct {
	o    Options
	rows []Row
}

func (s rowsOf) Options() Options              { return s.o }
func (s rowsOf) Rows() []Row                   { return s.rows }
func (s rowsOf) Choose(id string) panel.Effect { return panel.Write{Text: id} }

func TestLines(t *testing.T) {
	for name, tt := range map[string]struct {
		o     Options
		rows  []Row
		words string
		want  []Line
	}{
		"groups, numbers, what is off": {Options{One: "model", Text: "Choose.", Heads: []string{"", "x", "turns"}},
			[]Row{{Group: "a · today", Cells: []string{"one", "", "2"}, Mark: true}, {Group: "a · today", Cells: []string{"two"}, Off: "not in this plan", Number: 7}}, "",
			[]Line{{"note", "Choose."}, {"in", "a, today"}, {"model 1", "one, turns 2, in use"}, {"model 7", "two, not in this plan"},
				{"note", "Choose one with /model NUMBER or NAME"}}},
		"values": {Options{One: "model", Also: "Or more.", Heads: []string{"model", "effort"}, Value: 1},
			[]Row{{Cells: []string{"one", "low", "2"}, Values: []string{"low", "high"}}, {Cells: []string{"two", "low"}, Values: []string{"low"}}}, "",
			[]Line{{"model 1", "one, effort low (low, high), 2"}, {"model 2", "two, effort low"}, {"note", "Choose one with /model NUMBER or NAME. Or more."}}},
		"numbered": {Options{One: "tab", Numbered: true}, []Row{{Cells: []string{"2 3 tests", "works"}, Number: 2}}, "",
			[]Line{{"tab 2", "3 tests, works"}, {"note", "Choose one with /model NUMBER or NAME"}}},
		"nothing":       {Options{One: "model", None: "No models"}, nil, "", []Line{{"note", "No models"}}},
		"nothing found": {Options{One: "model", None: "No models"}, nil, "x", []Line{{"note", `No model matches "x". List them with /model`}}},
	} {
		p := &Printed{Source: rowsOf{tt.o, tt.rows}, Rows: tt.rows, Command: "model"}
		if got := p.Lines(tt.words); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	facts := rowsOf{Options{Plain: true}, make([]Row, listed+3)}
	facts.rows[listed+2].Cells = []string{"", "No problems found."}
	if all := (&Printed{Source: facts, Rows: facts.rows}).Lines(""); len(all) != listed+3 || all[listed+2].Text != "No problems found." {
		t.Errorf("%v", all)
	}
	p := &Printed{Source: rowsOf{}, Rows: make([]Row, listed+3), Command: "x"}
	if all := p.Lines(""); len(all) != listed+1 || all[listed].Text != "3 more. Find them with /x WORDS" {
		t.Errorf("%v", all)
	}
}

// A row is chosen by its number, its name, or words that find nothing else.
func TestPrintedRowsAreChosen(t *testing.T) {
	rows := []Row{{ID: "a", Cells: []string{"A"}}, {ID: "b", Cells: []string{"B"}, Number: 7}, {ID: "c", Cells: []string{"C"}, Off: "not in this plan"}}
	p := &Printed{Source: rowsOf{Options{One: "model"}, rows}, Rows: rows, Command: "model"}
	for number, want := range map[int]panel.Effect{
		1: panel.Write{Text: "a"}, 7: panel.Write{Text: "b"}, 3: panel.Notice{Text: "C: not in this plan", Warn: true},
		2: panel.Notice{Text: "There is no model 2. List them with /model"},
	} {
		if got := p.Choose(number); got != want {
			t.Errorf("%d: %#v", number, got)
		}
	}
	for words, want := range map[string]panel.Effect{"": nil, "b": panel.Write{Text: "b"}, "many": nil} {
		if got, found := p.Meant(words); got != want || found != (want != nil) {
			t.Errorf("%q: %#v, %v", words, got, found)
		}
	}
	p.Rows = rows[:1]
	if got, found := p.Meant("found"); got != (panel.Write{Text: "a"}) || !found {
		t.Errorf("%#v, %v", got, found)
	}
}
