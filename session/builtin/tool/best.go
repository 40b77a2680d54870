package tool

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Best returns at most so many of all that have words of a query, those with most of them first. A word in a name counts more than one
// in a description; texts returns both.
func Best[T any](all []T, query string, most int, texts func(T) (name, about string)) []T {
	type scored struct {
		one   T
		score int
	}
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var found []scored
	for _, one := range all {
		name, about := texts(one)
		name, about = strings.ToLower(name), strings.ToLower(about)
		score := 0
		for _, w := range words {
			if strings.Contains(name, w) {
				score += 3
			} else if strings.Contains(about, w) {
				score++
			}
		}
		if score > 0 {
			found = append(found, scored{one, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var out []T
	for _, f := range found[:min(len(found), most)] {
		out = append(out, f.one)
	}
	return out
}
