package search

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// byteSet is a set of bytes.
type byteSet [256]bool

// weight is larger for sets that more text has bytes of.
func (s *byteSet) weight() (n int) {
	for c, has := range s {
		if at := strings.IndexByte(common, byte(c)); has && at >= 0 {
			n += len(common) - at
		}
		if has {
			n++
		}
	}
	return n
}

// index returns where text has a byte of the set, len(text) if it has none.
func (s *byteSet) index(text []byte) int {
	for i, c := range text {
		if s[c] {
			return i
		}
	}
	return len(text)
}

// heaviest bounds the weight of a set that is worth looking for: capital letters, digits and all outside of ASCII are.
const heaviest = 300

// required returns bytes of which each match of a tree contains one, the rarest that are known, nil if none are worth looking for.
func required(re *syntax.Regexp) *byteSet {
	if s := requiredBytes(re); s != nil && s.weight() <= heaviest {
		return s
	}
	return nil
}

func requiredBytes(re *syntax.Regexp) *byteSet {
	switch re.Op {
	case syntax.OpLiteral:
		s := &byteSet{}
		s.add(re.Rune[0], re.Rune[0], re.Flags&syntax.FoldCase != 0)
		return s
	case syntax.OpCharClass:
		s := &byteSet{}
		for i := 0; i+1 < len(re.Rune); i += 2 {
			s.add(re.Rune[i], re.Rune[i+1], false)
		}
		return s
	case syntax.OpCapture, syntax.OpPlus:
		return requiredBytes(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requiredBytes(re.Sub[0])
		}
	case syntax.OpConcat:
		var best *byteSet
		for _, sub := range re.Sub {
			if s := requiredBytes(sub); s != nil && (best == nil || s.weight() < best.weight()) {
				best = s
			}
		}
		return best
	case syntax.OpAlternate:
		all := &byteSet{}
		for _, sub := range re.Sub {
			s := requiredBytes(sub)
			if s == nil {
				return nil
			}
			for c, has := range s {
				all[c] = all[c] || has
			}
		}
		return all
	}
	return nil
}

// add adds what characters can begin with. Those outside of ASCII, and broken bytes, count as equal.
func (s *byteSet) add(low, high rune, fold bool) {
	for r := low; r <= min(high, utf8.RuneSelf-1); r++ {
		s[r] = true
		if letter := r | 0x20; fold && 'a' <= letter && letter <= 'z' {
			s[letter], s[letter-0x20] = true, true
		}
	}
	if high < utf8.RuneSelf && !fold { // the Kelvin sign and the long s are equal to letters
		return
	}
	for c := utf8.RuneSelf; c < len(s); c++ {
		s[c] = true
	}
}
