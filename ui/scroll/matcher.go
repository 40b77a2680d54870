package scroll

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// matcher finds a query in a text.
type matcher struct {
	query string
	exact bool   // capitals matter
	ascii bool   // the query is ASCII, as most are
	a, b  byte   // the first byte of an ASCII query, in either case
	rest  string // the query behind it
}

func newMatcher(query string) matcher {
	m := matcher{query: query, ascii: true}
	for _, r := range query {
		m.exact = m.exact || unicode.IsUpper(r)
		m.ascii = m.ascii && r < utf8.RuneSelf
	}
	if query != "" {
		m.a, m.b, m.rest = query[0], query[0], query[1:]
		if !m.exact && m.a >= 'a' && m.a <= 'z' {
			m.b = m.a - 'a' + 'A'
		}
	}
	return m
}

// next returns the first match at or behind at, or -1.
func (m *matcher) next(text string, at int) (from, to int) {
	switch {
	case m.query == "" || at > len(text):
		return -1, -1
	case m.exact:
		if i := strings.Index(text[at:], m.query); i >= 0 {
			return at + i, at + i + len(m.query)
		}
		return -1, -1
	case m.ascii:
		return m.nextFolded(text, at)
	}
	for i := range text[at:] {
		if n := foldedPrefix(text[at+i:], m.query); n > 0 {
			return at + i, at + i + n
		}
	}
	return -1, -1
}

// nextFolded is next for an ASCII query without capitals. It scans for the first byte in either case, each at most once.
func (m *matcher) nextFolded(text string, at int) (from, to int) {
	small, big := at-1, at-1 // the next places of either; len(text) if there is none
	for {
		if small < at {
			small = indexFrom(text, m.a, at)
		}
		if m.a == m.b {
			big = len(text)
		} else if big < at {
			big = indexFrom(text, m.b, at)
		}
		at = min(small, big)
		if at+len(m.query) > len(text) {
			return -1, -1
		}
		if equalFoldASCII(text[at+1:at+len(m.query)], m.rest) {
			return at, at + len(m.query)
		}
		at++
	}
}

func indexFrom(text string, c byte, at int) int {
	if i := strings.IndexByte(text[at:], c); i >= 0 {
		return at + i
	}
	return len(text)
}

// equalFoldASCII compares text in any case with a query of the same length without capitals.
func equalFoldASCII(text, query string) bool {
	for i := range len(query) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != query[i] {
			return false
		}
	}
	return true
}

// foldedPrefix returns how many bytes of text a query without capitals matches at its start, 0 if none.
func foldedPrefix(text, query string) int {
	n := 0
	for _, q := range query {
		if n >= len(text) {
			return 0
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if r != q && unicode.ToLower(r) != q {
			return 0
		}
		n += size
	}
	return n
}
