package search

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"parley/session/builtin/tool"
)

// matcher finds the lines that a regular expression matches. It is immutable; each worker has a [finder] on it.
type matcher struct {
	re *regexp.Regexp
	// need are texts of which each match contains one; nil if none are known. With fold they are in lower case and compare
	// without case.
	need []string
	fold bool
	// plain reports whether what contains a text of need is a match.
	plain bool
	// bytes are ones of which each match contains one; nil if none are known.
	bytes *byteSet
	// whole reports whether matches may span lines.
	whole bool
}

// newMatcher compiles a pattern. Its error is for the model.
func newMatcher(pattern string, fold, whole bool) (*matcher, error) {
	flags := syntax.Perl
	if fold {
		flags |= syntax.FoldCase
	}
	prefix := ""
	if whole {
		flags = flags&^syntax.OneLine | syntax.DotNL
		prefix = "sm"
	}
	if fold {
		prefix += "i"
	}
	tree, err := syntax.Parse(pattern, flags)
	if err != nil {
		return nil, tool.Errorf("The pattern is not a regular expression of RE2: %v. Look-around and back-references do not exist; "+
			"literal ( [ { . * + ? need a backslash.", err)
	}
	if whole && !spans(tree, true) { // no match spans lines
		return newMatcher(pattern, fold, false)
	}
	if !whole && spans(tree, false) {
		return nil, tool.Errorf("The pattern has a line break, and lines are searched one by one. Set multiline to true.")
	}
	if prefix != "" {
		pattern = "(?" + prefix + ")" + pattern
	}
	m := &matcher{whole: whole}
	if m.re, err = regexp.Compile(pattern); err != nil {
		return nil, tool.Errorf("The pattern is not a regular expression of RE2: %v", err)
	}
	tree = tree.Simplify()
	m.need, m.fold, m.plain = literals(tree)
	m.plain = m.plain && !whole && !m.fold
	if !m.plain && !whole {
		m.bytes = required(tree)
	}
	return m, nil
}

// spans reports whether a tree has a literal line break or, with classes, anything that matches one.
func spans(re *syntax.Regexp, classes bool) bool {
	switch {
	case re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '\n'), re.Op == syntax.OpAnyChar && classes:
		return true
	case re.Op == syntax.OpCharClass && classes:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				return true
			}
		}
	}
	return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return spans(sub, classes) })
}

// finder finds candidates for matches. One goroutine uses it.
type finder struct {
	*matcher
	next []int // where each text of need is next, from the position of the last call
	// judged counts the lines that the regular expression has judged.
	judged int
}

func (m *matcher) finder() *finder {
	return &finder{matcher: m, next: make([]int, len(m.need))}
}

// begin starts with another text.
func (f *finder) begin() {
	for i := range f.next {
		f.next[i] = -1
	}
}

// candidate returns a position in text at or after from, in the line of the next possible match, len(text) for none. Positions
// of calls for one text ascend.
func (f *finder) candidate(text []byte, from int) int {
	switch {
	case f.need != nil:
	case f.bytes != nil:
		return from + f.bytes.index(text[from:])
	default:
		return from
	}
	best := len(text)
	for i, need := range f.need {
		if f.next[i] < from {
			at := -1
			if f.fold {
				at = indexFold(text[from:], need)
			} else {
				at = bytes.Index(text[from:], []byte(need))
			}
			f.next[i] = len(text)
			if at >= 0 {
				f.next[i] = from + at
			}
		}
		best = min(best, f.next[i])
	}
	return best
}

// matches reports whether a line that is a candidate matches. The line has no end of line.
func (f *finder) matches(line []byte) bool {
	switch {
	case f.plain:
		return true
	case f.bytes != nil && f.bytes.index(line) == len(line):
		return false
	}
	f.judged++
	return f.re.Match(line)
}

// line returns the next line with a match at or after from, without its end: from start up to end. after is where the line
// behind it begins. ok is false if there is none.
func (f *finder) line(text []byte, from int) (start, end, after int, ok bool) {
	for from < len(text) {
		at := f.candidate(text, from)
		if at >= len(text) {
			break
		}
		start = from + bytes.LastIndexByte(text[from:at], '\n') + 1
		end, after = len(text), len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end, after = at+i, at+i+1
		}
		bare := end
		if bare > start && text[bare-1] == '\r' {
			bare--
		}
		if f.matches(text[start:bare]) {
			return start, bare, after, true
		}
		from = after
	}
	return 0, 0, 0, false
}

// indexFold returns where text has a word of ASCII in any case, -1 if it does not. The word is in lower case.
func indexFold(text []byte, word string) int {
	rare := rarest(word)
	low := word[rare]
	high := low
	if 'a' <= low && low <= 'z' {
		high -= 'a' - 'A'
	}
	nextLow, nextHigh := -1, -1
	for from := rare; from+len(word)-rare <= len(text); {
		if nextLow < from {
			nextLow = indexFrom(text, from, low)
		}
		if nextHigh < from {
			if nextHigh = nextLow; high != low {
				nextHigh = indexFrom(text, from, high)
			}
		}
		at := min(nextLow, nextHigh) - rare
		if at+len(word) > len(text) {
			return -1
		}
		if equalFold(text[at:at+len(word)], word) {
			return at
		}
		from = at + rare + 1
	}
	return -1
}

func indexFrom(text []byte, from int, c byte) int {
	if at := bytes.IndexByte(text[from:], c); at >= 0 {
		return from + at
	}
	return len(text)
}

func equalFold(text []byte, word string) bool {
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// common are letters from the most to the least common in programs; all other characters are rarer.
const common = " etaoinsrlcdupmfhgbyvw_.,()\"xk=-:/;*'0123zjq"

// rarest returns the index of the rarest character of a word.
func rarest(word string) int {
	best, most := 0, -1
	for i := range len(word) {
		rank := strings.IndexByte(common, word[i])
		if rank < 0 {
			rank = len(common)
		}
		if rank > most {
			best, most = i, rank
		}
	}
	return best
}
