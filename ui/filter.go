package ui

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// How well a row of a picker answers to a word that was typed, the best first.
const (
	matchName   = iota // it is the row's name
	matchBegins        // the name begins with it
	matchWord          // a word of the name begins with it
	matchPart          // it is somewhere in the name
	matchTold          // a word of what is told beside the name begins with it
	matchWithin        // it is somewhere in that
	matchLoose         // its letters are in the name, in their order
	matchNot
)

// filtered are the rows that answer to every word that was typed, the best first; where they answer equally well they
// stay in their order, which is often the newest first. Letters with others between them count in names alone: in whole
// sentences they would be found everywhere.
func filtered(rows []pickRow, typed string) []int {
	words := strings.Fields(strings.ToLower(typed))
	type hit struct{ row, rank, loose int }
	var hits []hit
	for i, r := range rows {
		h := hit{row: i}
		for _, w := range words {
			rank, loose := r.answers(w)
			h.rank, h.loose = max(h.rank, rank), h.loose+loose
		}
		if h.rank < matchNot {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.loose, a.loose)) })
	found := make([]int, len(hits))
	for i, h := range hits {
		found[i] = h.row
	}
	return found
}

// answers says how well a row answers to a word in small letters, and for loose answers how close its letters are.
func (r pickRow) answers(word string) (rank, loose int) {
	if len(r.cells) == 0 {
		return matchNot, 0
	}
	name := strings.ToLower(r.cells[0])
	told := strings.ToLower(strings.Join(append(r.cells[1:len(r.cells):len(r.cells)], r.also), " "))
	switch {
	case name == word || strings.ToLower(r.id) == word:
		return matchName, 0
	case strings.HasPrefix(name, word):
		return matchBegins, 0
	case wordBegins(name, word):
		return matchWord, 0
	case strings.Contains(name, word):
		return matchPart, 0
	case wordBegins(told, word):
		return matchTold, 0
	case strings.Contains(told, word):
		return matchWithin, 0
	}
	if f := fuzzy.Find(word, []string{r.cells[0]}); len(f) > 0 {
		return matchLoose, f[0].Score
	}
	return matchNot, 0
}

// wordBegins reports whether a word of the text begins with w: w follows something that is neither letter nor digit.
func wordBegins(text, w string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return false
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		from = at + max(1, size)
	}
}
