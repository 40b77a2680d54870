package list

import (
	"fmt"
	"testing"
)

func TestLines(t *testing.T) {
	rows := []Row{{Group: "a · today", Cells: []string{"one", "", "2"}, Mark: true}, {Group: "a · today", Cells: []string{"two"}, Off: "not in this plan", Number: 7}}
	got := Lines(Options{One: "model", Text: "Choose.", Heads: []string{"", "x", "turns"}}, rows, "model")
	want := []Line{{"note", "Choose."}, {"in", "a, today"}, {"model 1", "one, turns 2, in use"}, {"model 7", "two, not in this plan"},
		{"note", "Choose one with /model NUMBER or NAME"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
	rows = []Row{{Cells: []string{"one", "low", "2"}, Values: []string{"low", "high"}}, {Cells: []string{"two", "low"}, Values: []string{"low"}}}
	got = Lines(Options{One: "model", Also: "Or more.", Heads: []string{"model", "effort"}, Value: 1}, rows, "model")
	want = []Line{{"model 1", "one, effort low (low, high), 2"}, {"model 2", "two, effort low"}, {"note", "Choose one with /model NUMBER or NAME. Or more."}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
	if all := Lines(Options{}, make([]Row, listed+3), "x"); len(all) != listed+1 || all[listed].Text != "3 more. Find them with /x WORDS" {
		t.Errorf("%v", all)
	}
}
