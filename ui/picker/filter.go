package picker

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/fuzzy"
)

// The ranks of a match, the best first.
const (
	matchName   = iota // the word is the row's name
	matchBegins        // the name begins with it
	matchWord          // a word of the name begins with it
	matchPart          // it is somewhere in the name
	matchBeside        // a word of the other cells begins with it
	matchWithin        // it is somewhere in these
	matchLoose         // its letters are in the name, in their order
	matchNot
)

// filtered returns the indexes of the rows that match every word typed, the best first; equal matches keep their order,
// which is often the newest first. Letters with others between them match in names alone: whole sentences would match
// everywhere.
func filtered(rows []Row, typed string) []int {
	words := strings.Fields(strings.ToLower(typed))
	type hit struct{ row, rank, loose int }
	var hits []hit
	for i, r := range rows {
		h := hit{row: i}
		for _, w := range words {
			rank, loose := r.match(w)
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

// match ranks how well a row matches a lower-case word; loose scores how close the letters of a loose match are.
func (r Row) match(word string) (rank, loose int) {
	if len(r.Cells) == 0 {
		return matchNot, 0
	}
	name := strings.ToLower(r.Cells[0])
	beside := strings.ToLower(strings.Join(append(r.Cells[1:len(r.Cells):len(r.Cells)], r.Also), " "))
	switch {
	case name == word || strings.ToLower(r.ID) == word:
		return matchName, 0
	case strings.HasPrefix(name, word):
		return matchBegins, 0
	case wordBegins(name, word):
		return matchWord, 0
	case strings.Contains(name, word):
		return matchPart, 0
	case wordBegins(beside, word):
		return matchBeside, 0
	case strings.Contains(beside, word):
		return matchWithin, 0
	}
	if score, ok := fuzzy.New(word).Score([]byte(name), 0); ok {
		return matchLoose, score
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
