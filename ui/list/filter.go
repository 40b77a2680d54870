package list

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
	matchText          // it is in what the row stands for
	matchLoose         // its letters are in the name, in their order
	matchNot
)

// filter finds rows by what is typed. It keeps the rows' texts in small letters, and which rows the text before did not match:
// none of them matches a longer one, so that a letter costs little in a long list.
type filter struct {
	keys   []texts // of the rows, nil until they are needed
	typed  string
	missed []bool // by row, for typed
}

// texts are what a row is found by, in small letters.
type texts struct{ id, name, beside string }

// found is a row that matches every word.
type found struct{ row, loose int }

// reset forgets the rows.
func (f *filter) reset() { f.keys, f.typed, f.missed = nil, "", nil }

// find returns the indexes of the rows that may be shown and match every word typed, the best first; equal matches keep their order, which
// is often the newest first. Letters with others between them match in names alone: whole sentences would match everywhere. The rows are
// those of the call before, or those after a reset. hits are the rows that were found by what they stand for.
func (f *filter) find(rows []Row, n narrowed, hits map[string][]string) []int {
	if f.keys == nil {
		f.keys = keysOf(rows)
	}
	typed := strings.Join(n.words, "\x00")
	narrows := f.missed != nil && strings.HasPrefix(typed, f.typed)
	if !narrows {
		f.missed = make([]bool, len(rows))
	}
	f.typed = typed
	var words []word
	for _, w := range n.words {
		words = append(words, word{w, fuzzy.New(w)})
	}
	var ranked [matchNot][]found
	for i := range f.keys {
		k := &f.keys[i]
		if n.only != nil && !n.only[rows[i].ID] {
			continue
		}
		_, hit := hits[rows[i].ID]
		if f.missed[i] && !hit && !slices.ContainsFunc(words, func(w word) bool { return w.text == k.id }) { // an id is matched as a whole
			continue
		}
		rank, loose := k.match(words)
		if f.missed[i] = rank == matchNot; hit && rank > matchText {
			rank, loose = matchText, 0
		}
		if rank != matchNot {
			ranked[rank] = append(ranked[rank], found{i, loose})
		}
	}
	slices.SortStableFunc(ranked[matchLoose], func(a, b found) int { return cmp.Compare(b.loose, a.loose) })
	var all []int
	for _, hits := range ranked {
		for _, h := range hits {
			all = append(all, h.row)
		}
	}
	return all
}

// keysOf returns what rows are found by. A row without cells is never found.
func keysOf(rows []Row) []texts {
	keys := make([]texts, len(rows))
	for i := range rows {
		if r := &rows[i]; len(r.Cells) > 0 {
			keys[i] = texts{strings.ToLower(r.ID), strings.ToLower(r.Cells[0]),
				strings.ToLower(strings.Join(append(r.Cells[1:len(r.Cells):len(r.Cells)], r.Also), " "))}
		}
	}
	return keys
}

// word is one that is typed, in small letters.
type word struct {
	text  string
	loose *fuzzy.Query
}

// match returns the worst rank of the words; loose scores how close the letters of loose matches are.
func (k *texts) match(words []word) (rank, loose int) {
	for _, w := range words {
		one, score := k.rank(w)
		if rank, loose = max(rank, one), loose+score; rank == matchNot {
			return rank, 0
		}
	}
	return rank, loose
}

// rank ranks how well a row matches a word.
func (k *texts) rank(w word) (rank, loose int) {
	switch at := strings.Index(k.name, w.text); {
	case k.name == w.text, k.id == w.text && k.id != "":
		return matchName, 0
	case at == 0:
		return matchBegins, 0
	case at > 0 && wordBegins(k.name, w.text):
		return matchWord, 0
	case at > 0:
		return matchPart, 0
	}
	if at := strings.Index(k.beside, w.text); at >= 0 {
		if wordBegins(k.beside, w.text) {
			return matchBeside, 0
		}
		return matchWithin, 0
	}
	if score, ok := w.loose.Score([]byte(k.name), 0); ok && k.name != "" {
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
