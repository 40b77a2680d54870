package compose

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Past is a prompt that was sent some time, in this session or another.
type Past struct {
	Text string
	// Where names the session or the directory, to be shown.
	Where string
	When  time.Time
}

// Search looks through the prompts of the past, the newest first, while the user writes what to look for. Prompts with
// the same text are shown once, as the newest of them. All words of the query have to be in a prompt, in any order; a
// word without capitals does not mind them.
//
// Prompts are read as they are needed: Step reads some more. Or they are brought by Add, and next is nil. It is used by one goroutine.
type Search struct {
	read  func() (Past, bool)
	past  []Past
	seen  map[string]bool
	ended bool

	words   []needle
	query   string
	matches []int // of past
	looked  int   // so many of past were compared
	at      int   // of matches
}

// needle is a word of a query.
type needle struct {
	text  string
	exact bool
}

// maxPast is how many prompts a search reads at most.
const maxPast = 20_000

// NewSearch returns a search without a query, which everything matches. next returns the prompts from the newest on, one
// with each call, and false when there are no more.
func NewSearch(next func() (Past, bool)) *Search { return &Search{read: next, seen: map[string]bool{}} }

// Add adds prompts that were read elsewhere, each older than those before, to a search that was made without a reader. ended
// says that there are no more.
func (s *Search) Add(past []Past, ended bool) {
	for _, p := range past {
		s.add(p)
	}
	s.ended = s.ended || ended
	s.look()
}

// add takes a prompt in, unless its like was there before.
func (s *Search) add(p Past) {
	if key := strings.TrimSpace(p.Text); key != "" && !s.seen[key] && len(s.past) < maxPast {
		s.seen[key] = true
		s.past = append(s.past, p)
	}
}

// SetQuery changes what is looked for. The newest match is selected, unless the one that was still is one.
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

// Query is what is looked for.
func (s *Search) Query() string { return s.query }

// Step reads up to n more prompts and reports whether all are read.
func (s *Search) Step(n int) (done bool) {
	for ; n > 0 && !s.ended && s.read != nil; n-- {
		p, ok := s.read()
		if !ok || len(s.past) >= maxPast {
			s.ended = true
			break
		}
		s.add(p)
	}
	s.look()
	return s.ended
}

// look compares the prompts that were not compared yet.
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

// in returns where in the text the word is, from -1 if it is not.
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

// foldedPrefix reports whether text begins with a word without capitals, whatever the text's, and how long that is.
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

// Count is how many prompts match, and whether all are read.
func (s *Search) Count() (n int, all bool) { return len(s.matches), s.ended }

// Match is the nth match, 0 being the newest.
func (s *Search) Match(n int) Past { return s.past[s.matches[n]] }

// Selected is the match that is selected. ok is false if there is none.
func (s *Search) Selected() (p Past, nth int, ok bool) {
	if s.at >= len(s.matches) {
		return Past{}, 0, false
	}
	return s.Match(s.at), s.at, true
}

// Older selects the match before, and Newer the one after; they report whether there was one. For Older that may be one
// that has to be read first.
func (s *Search) Older() bool {
	for s.at+1 >= len(s.matches) && !s.ended && s.read != nil {
		s.Step(64)
	}
	if s.at+1 >= len(s.matches) {
		return false
	}
	s.at++
	return true
}

// Newer selects the match after the selected one.
func (s *Search) Newer() bool {
	if s.at == 0 {
		return false
	}
	s.at--
	return true
}

// Spans returns where in a text the words of the query are, in bytes, in the order of the words.
func (s *Search) Spans(text string) (spans [][2]int) {
	for _, w := range s.words {
		if from, to := w.in(text); from >= 0 {
			spans = append(spans, [2]int{from, to})
		}
	}
	return spans
}
