package models

import (
	"slices"
	"testing"

	"parley/session"
)

// A terminal gets the columns of the list on the screen; a pipe keeps its columns and gets new ones behind them.
func TestColumnsOfTheModels(t *testing.T) {
	l := rows([]session.Model{
		{ID: "a-1", Name: "A 1", Default: true, ContextWindow: 200_000, MaxOutput: 64_000, Efforts: []string{"low", "high"}, Purpose: "everyday work",
			Price: &session.Price{Input: 300, Output: 1500}, Notes: []string{"less in May"}},
		{ID: "b-1", Name: "B 1", Multiplier: 3, Unusable: "a policy"}, {ID: "c-1", Name: "C 1", Free: true},
	})
	for i, want := range [][]string{
		{"a-1", "low high", "200k", "64k", "$3 / $15", "", "everyday work", "default, less in May"},
		{"b-1", "", "", "", "", "3 requests", "", "a policy"},
		{"c-1", "", "", "", "included", "", "", ""},
	} {
		if len(want) != len(l.Columns) || !slices.Equal(l.Rows[i], want) {
			t.Errorf("%d columns: %q, want %q", len(l.Columns), l.Rows[i], want)
		}
	}
	for i, want := range [][]string{
		{"MODEL", "NAME", "CONTEXT", "OUTPUT", "EFFORT", "CREDITS PER M IN/OUT", "NOTE", "PER PROMPT", "FOR"},
		{"a-1", "A 1", "200k", "64k", "low high", "300/1500", "default", "", "everyday work"},
		{"b-1", "B 1", "", "", "", "", "a policy", "3 requests", ""},
	} {
		if !slices.Equal(l.Plain[i], want) {
			t.Errorf("%q, want %q", l.Plain[i], want)
		}
	}
}
