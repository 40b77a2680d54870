package textarea

import (
	"strconv"
	"strings"
)

// Mention is a file or a directory that a text names behind an @, with its lines if there are any: @path, @path:12,
// @path:10-20, @"a path with blanks":10-20.
type Mention struct {
	// Path is the path as written.
	Path string
	// First and Last are the lines, from 1; 0 means all.
	First, Last int
	// From and To are its place in the text, in bytes.
	From, To int
}

// Mentions returns the mentions of a text in its order, without punctuation at their end. It does not look for the files:
// the caller drops what only looks like a mention, such as the name of a person.
func Mentions(text string) (all []Mention) {
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], '@')
		if i < 0 {
			return all
		}
		i += at
		at = i + 1
		if !begins(text, i) && text[i-1] != '\n' {
			continue
		}
		m, ok := mentionAt(text, i)
		if ok {
			all = append(all, m)
			at = m.To
		}
	}
	return all
}

func mentionAt(text string, i int) (Mention, bool) {
	m := Mention{From: i}
	rest := text[i+1:]
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		n := strings.IndexAny(quoted, "\"\n")
		if n <= 0 || quoted[n] != '"' {
			return m, false
		}
		m.Path, m.To = quoted[:n], i+2+n+1
		word := text[m.To:]
		if end := strings.IndexAny(word, " \t\n"); end >= 0 {
			word = word[:end]
		}
		word = strings.TrimRight(word, ".,;:!?)]}>'`")
		if _, first, last, ok := lineRange(word); ok && first > 0 {
			m.First, m.Last, m.To = first, last, m.To+len(word)
		}
		return m, true
	}
	word := rest
	if end := strings.IndexAny(word, " \t\n\""); end >= 0 {
		word = word[:end]
	}
	word = strings.TrimRight(word, ".,;:!?)]}>'`")
	if word == "" {
		return m, false
	}
	m.To = i + 1 + len(word)
	m.Path = word
	if path, first, last, ok := lineRange(word); ok && first > 0 && path != "" {
		m.Path, m.First, m.Last = path, first, last
	}
	return m, true
}

// lineRange splits "path:10-20". ok reports whether there is a colon with nothing but digits and a dash behind it. Digits
// that are missing so far leave the lines 0.
func lineRange(s string) (path string, first, last int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, 0, false
	}
	a, b, both := strings.Cut(s[i+1:], "-")
	if strings.Trim(a+b, "0123456789") != "" || both && a == "" {
		return s, 0, 0, false
	}
	first, _ = strconv.Atoi(a)
	last = first
	if b != "" {
		last, _ = strconv.Atoi(b)
	}
	if last < first {
		first, last = last, first
	}
	return s[:i], first, last, true
}
