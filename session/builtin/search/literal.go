package search

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxLiterals = 16 // texts that are looked for one after the other
	minLiteral  = 2  // bytes of a text worth looking for
	maxLiteral  = 200
)

// literals returns texts of which each match of a tree contains one, nil if none are worth looking for. fold reports that they
// are in lower case and compare without case. plain reports whether what contains one is a match.
func literals(re *syntax.Regexp) (need []string, fold, plain bool) {
	x := extractor{fold: folds(re)}
	t := x.texts(re)
	plain = t.exact != nil && !x.asserts
	need = t.need
	if t.exact != nil {
		need = better(need, t.exact)
	}
	if !worth(need) {
		return nil, x.fold, false
	}
	plain = plain && slices.Equal(need, t.exact)
	need = slices.Compact(slices.Sorted(slices.Values(need)))
	return need, x.fold, plain
}

func folds(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(re.Sub, folds)
}

// extractor reads the texts of a tree.
type extractor struct {
	fold    bool
	asserts bool // the tree has conditions besides its characters
}

// texts describes the matches of a tree, as far as they are known.
type texts struct {
	// exact are all matches; nil if there are too many.
	exact []string
	// need are texts of which each match contains one; nil if none are known.
	need []string
}

func (x *extractor) texts(re *syntax.Regexp) texts {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return texts{exact: []string{""}}
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		x.asserts = true
		return texts{exact: []string{""}}
	case syntax.OpLiteral:
		return x.literal(re.Rune)
	case syntax.OpCharClass:
		return x.class(re.Rune)
	case syntax.OpCapture:
		return x.texts(re.Sub[0])
	case syntax.OpConcat:
		return x.concat(re.Sub)
	case syntax.OpAlternate:
		return x.alternate(re.Sub)
	case syntax.OpQuest:
		if t := x.texts(re.Sub[0]); t.exact != nil && len(t.exact) < maxLiterals {
			return texts{exact: append(slices.Clone(t.exact), "")}
		}
	case syntax.OpPlus:
		t := x.texts(re.Sub[0])
		return texts{need: better(t.need, t.exact)}
	case syntax.OpRepeat:
		if t := x.texts(re.Sub[0]); re.Min > 0 {
			return texts{need: better(t.need, t.exact)}
		}
	}
	return texts{}
}

// literal returns a text, or its longest part that has no character with cases outside of ASCII.
func (x *extractor) literal(runes []rune) texts {
	if slices.Contains(runes, utf8.RuneError) { // which broken bytes count as
		return texts{}
	}
	if !x.fold {
		return texts{exact: []string{string(runes)}}
	}
	parts := strings.FieldsFunc(strings.ToLower(string(runes)), func(r rune) bool {
		return r >= utf8.RuneSelf || r == 'k' || r == 's' // which the Kelvin sign and the long s are equal to
	})
	whole := strings.ToLower(string(runes))
	if len(parts) == 1 && parts[0] == whole {
		return texts{exact: parts}
	}
	best := ""
	for _, p := range parts {
		if len(p) > len(best) {
			best = p
		}
	}
	if best == "" {
		return texts{}
	}
	return texts{need: []string{best}}
}

// class returns the characters of a small class.
func (x *extractor) class(ranges []rune) texts {
	var out []string
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if len(out) == 4 || r == utf8.RuneError { // broken bytes count as that character
				return texts{}
			}
			if x.fold {
				if r >= utf8.RuneSelf || strings.ContainsRune("kKsS", r) {
					return texts{}
				}
				if 'A' <= r && r <= 'Z' {
					r += 'a' - 'A'
					out = append(out, string(r))
					r -= 'a' - 'A'
					continue
				}
			}
			out = append(out, string(r))
		}
	}
	if len(out) == 0 {
		return texts{}
	}
	return texts{exact: out}
}

// concat joins neighbours whose matches are all known.
func (x *extractor) concat(subs []*syntax.Regexp) texts {
	exact, best, open := []string{""}, []string(nil), true
	for _, sub := range subs {
		t := x.texts(sub)
		joined := cross(exact, t.exact)
		if joined != nil {
			exact = joined
			continue
		}
		best = better(better(best, exact), t.need)
		open = false
		if exact = t.exact; exact == nil {
			exact = []string{""}
		}
	}
	best = better(best, exact)
	if !open {
		return texts{need: best}
	}
	return texts{exact: exact, need: best}
}

// cross returns all pairs, nil if a list is unknown or there are too many.
func cross(a, b []string) []string {
	if b == nil || len(a)*len(b) > maxLiterals {
		return nil
	}
	var out []string
	for _, s := range a {
		for _, t := range b {
			if len(s)+len(t) > maxLiteral {
				return nil
			}
			out = append(out, s+t)
		}
	}
	return out
}

func (x *extractor) alternate(subs []*syntax.Regexp) texts {
	all, exact := []string{}, true
	for _, sub := range subs {
		t := x.texts(sub)
		some := t.exact
		if some == nil {
			exact = false
			some = t.need
		}
		if some == nil || len(all)+len(some) > maxLiterals {
			return texts{}
		}
		all = append(all, some...)
	}
	if exact {
		return texts{exact: all}
	}
	return texts{need: all}
}

// worth reports whether texts are worth looking for.
func worth(texts []string) bool { return len(texts) > 0 && shortest(texts) >= minLiteral }

// better returns the texts that are found faster.
func better(a, b []string) []string {
	switch {
	case len(b) == 0 || shortest(b) == 0:
		return a
	case len(a) == 0 || shortest(b) > shortest(a), shortest(b) == shortest(a) && len(b) < len(a):
		return b
	}
	return a
}

func shortest(texts []string) int {
	n := maxLiteral
	for _, t := range texts {
		n = min(n, len(t))
	}
	return n
}
