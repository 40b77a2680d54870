package textarea

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Past is a prompt that was sent before, in this session or another.
type Past struct {
	Text string
	// Where names the session or the directory for display.
	Where string
	When  time.Time
}

// Search finds past prompts, the newest first, while the user writes a query. Of prompts with the same text it holds the
// newest. A prompt matches if it contains all words of the query in any order; a word without capitals matches in any
// case. It is used by one goroutine.
type Search struct {
	past  []Past
	seen  map[string]bool // by text
	ended bool            // all prompts were added

	words   []needle
	query   string
	matches []int // indices into past
	looked  int   // how many of past were matched
	at      int   // the selected one of matches
}

// needle is a word of a query.
type needle struct {
	text  string
	exact bool
}

// maxPast is the most prompts that a search holds.
const maxPast = 20_000

// NewSearch returns a search without prompts and with an empty query, which matches every prompt.
func NewSearch() *Search { return &Search{seen: map[string]bool{}} }

// Add adds prompts, each older than those before it. ended reports that there are no more.
func (s *Search) Add(past []Past, ended bool) {
	for _, p := range past {
		s.add(p)
	}
	s.ended = s.ended || ended
	s.look()
}

// add adds a prompt unless its text was added before.
func (s *Search) add(p Past) {
	if key := strings.TrimSpace(p.Text); key != "" && !s.seen[key] && len(s.past) < maxPast {
		s.seen[key] = true
		s.past = append(s.past, p)
	}
}

// SetQuery sets the query. It selects the newest match, unless the selected one still matches.
func (s *Search) SetQuery(query string) {
	if query == s.query {
		return
	}
	selected := -1
	if s.at < len(s.matches) && s.at > 0 {
		selected = s.matches[s.at]
	}
	narrower := strings.HasPrefix(query, s.query)
	s.query, s.words = query, s.words[:0]
	for w := range strings.FieldsSeq(query) {
		s.words = append(s.words, needle{w, strings.ContainsFunc(w, unicode.IsUpper)})
	}
	s.at = 0
	if !narrower {
		s.matches, s.looked = s.matches[:0], 0
		s.look()
	} else {
		kept := s.matches[:0]
		for _, i := range s.matches {
			if s.match(s.past[i].Text) {
				kept = append(kept, i)
			}
		}
		s.matches = kept
	}
	for n, i := range s.matches {
		if i == selected {
			s.at = n
		}
	}
}

// look matches the prompts that were added since the last call.
func (s *Search) look() {
	for ; s.looked < len(s.past); s.looked++ {
		if s.match(s.past[s.looked].Text) {
			s.matches = append(s.matches, s.looked)
		}
	}
}

func (s *Search) match(text string) bool {
	for _, w := range s.words {
		if from, _ := w.in(text); from < 0 {
			return false
		}
	}
	return true
}

// in returns where in the text the word is, in bytes, or from -1.
func (n needle) in(text string) (from, to int) {
	if n.exact {
		i := strings.Index(text, n.text)
		return i, i + len(n.text)
	}
	for i := range text {
		if end, ok := foldedPrefix(text[i:], n.text); ok {
			return i, i + end
		}
	}
	return -1, -1
}

// foldedPrefix returns how many bytes of text a word without capitals matches at its beginning, in any case.
func foldedPrefix(text, word string) (n int, ok bool) {
	for _, w := range word {
		if n >= len(text) {
			return 0, false
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if r != w && unicode.ToLower(r) != w {
			return 0, false
		}
		n += size
	}
	return n, true
}

// Count returns how many prompts match, and whether all prompts were added.
func (s *Search) Count() (n int, all bool) { return len(s.matches), s.ended }

// Match returns the nth match, from 0 for the newest.
func (s *Search) Match(n int) Past { return s.past[s.matches[n]] }

// Selected returns the selected match. ok is false if there is none.
func (s *Search) Selected() (p Past, nth int, ok bool) {
	if s.at >= len(s.matches) {
		return Past{}, 0, false
	}
	return s.Match(s.at), s.at, true
}

// Older selects the next older match and reports whether there is one.
func (s *Search) Older() bool {
	if s.at+1 >= len(s.matches) {
		return false
	}
	s.at++
	return true
}

// Newer selects the next newer match and reports whether there is one.
func (s *Search) Newer() bool {
	if s.at == 0 {
		return false
	}
	s.at--
	return true
}

// Spans returns where a text contains the words of the query, in bytes, in the order of the words.
func (s *Search) Spans(text string) (spans [][2]int) {
	for _, w := range s.words {
		if from, to := w.in(text); from >= 0 {
			spans = append(spans, [2]int{from, to})
		}
	}
	return spans
}
