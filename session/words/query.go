package words

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Query is what is looked for: every word of it has to be found. A word may be a phrase, between whose words any white space stands. It
// is safe for concurrent use.
type Query struct {
	words   [][]byte // in small letters
	likely  [][]byte // of each, the longest part without a space
	phrases bool
	plain   bool // JSON spells each of them as it is
}

// New returns the query of some words and phrases, nil if there are none.
func New(words []string) *Query {
	q := &Query{plain: true}
	for _, w := range words {
		parts := strings.Fields(strings.ToLower(w))
		if len(parts) == 0 {
			continue
		}
		longest := slices.MaxFunc(parts, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
		q.words, q.likely = append(q.words, []byte(strings.Join(parts, " "))), append(q.likely, []byte(longest))
		q.phrases = q.phrases || len(parts) > 1
		for i := range len(longest) {
			if c := longest[i]; c >= 0x80 || c == '"' || c == '\\' || c == '/' || c == '<' || c == '>' || c == '&' {
				q.plain = false
			}
		}
	}
	if len(q.words) == 0 {
		return nil
	}
	return q
}

// Words returns the words in small letters.
func (q *Query) Words() []string {
	var all []string
	for _, w := range q.words {
		all = append(all, string(w))
	}
	return all
}

// Passage is a piece of a text that has a word.
type Passage struct {
	Prompt bool // of a prompt, not an answer
	Text   string
}

// Search looks for the words of a query in the texts of one session. It is not safe for concurrent use.
type Search struct {
	q        *Query
	missing  []int // the words, by number
	passages []Passage
	prompt   bool
	text     []byte // that was not searched, after a few bytes that were
	searched int
	small    []byte // the text in small letters
}

// Search returns a search in a session of which some texts are known, such as its title.
func (q *Query) Search(known ...string) *Search {
	s := &Search{q: q}
	all := []byte(strings.ToLower(strings.Join(known, "\n")))
	for i, w := range q.words {
		if !bytes.Contains(all, w) {
			s.missing = append(s.missing, i)
		}
	}
	return s
}

// Done reports whether every word was found.
func (s *Search) Done() bool { return len(s.missing) == 0 }

// Likely reports whether a line of JSON may have a missing word.
func (s *Search) Likely(line []byte) bool {
	if !s.q.plain {
		return true
	}
	s.small, _ = lower(s.small, line)
	for _, i := range s.missing {
		if bytes.Contains(s.small, s.q.likely[i]) {
			return true
		}
	}
	return false
}

// The sizes of what is searched at once, of what is kept of it for a word that goes on, and of a passage, in bytes.
const (
	searchAt = 32 << 10
	keep     = 512
	before   = 80
	after    = 160
)

// Add searches a piece of a text, which goes on with the piece before or begins another text. It reports whether a word is missing.
func (s *Search) Add(prompt, goesOn bool, piece []byte) bool {
	if !goesOn || s.prompt != prompt {
		s.flush()
		s.text, s.searched, s.prompt = s.text[:0], 0, prompt
	}
	s.text = append(s.text, piece...)
	if len(s.text)-s.searched >= searchAt {
		s.flush()
		if n := len(s.text) - keep; n > 0 {
			s.text = append(s.text[:0], s.text[n:]...)
		}
		s.searched = len(s.text)
	}
	return !s.Done()
}

// Found searches the rest, and returns the passages with the words that no known text had; false if a word is missing.
func (s *Search) Found() ([]Passage, bool) {
	s.flush()
	s.text, s.searched = s.text[:0], 0
	return s.passages, s.Done()
}

// flush searches the text so far.
func (s *Search) flush() {
	if len(s.text) == s.searched || s.Done() {
		return
	}
	if s.q.phrases {
		s.text = spaced(s.text)
	}
	var same bool
	s.small, same = lower(s.small, s.text)
	text := s.text
	if !same { // places differ where a letter takes another number of bytes
		text = s.small
	}
	rest := s.missing[:0:0]
	end := -1 // of the last passage
	for _, i := range s.missing {
		w := s.q.words[i]
		at := bytes.Index(s.small, w)
		switch {
		case at < 0:
			rest = append(rest, i)
		case at >= end:
			var p string
			p, end = passage(text, at, len(w))
			s.passages = append(s.passages, Passage{s.prompt, p})
		}
	}
	s.missing = rest
}

// spaced makes a space of each run of white space, in place.
func spaced(text []byte) []byte {
	all := text[:0]
	for _, c := range text {
		if c == '\n' || c == '\t' || c == '\r' {
			c = ' '
		}
		if n := len(all); c != ' ' || n == 0 || all[n-1] != ' ' {
			all = append(all, c)
		}
	}
	return all
}

// passage returns the text around a word as one line of whole words, and where it ends.
func passage(text []byte, at, n int) (string, int) {
	from, to := max(0, at-before), min(len(text), at+n+after)
	if from > 0 {
		if i := bytes.IndexAny(text[from:at], " \n\t"); i >= 0 {
			from += i + 1
		}
	}
	if to < len(text) {
		if i := bytes.LastIndexAny(text[at+n:to], " \n\t"); i >= 0 {
			to = at + n + i
		}
	}
	p := strings.ToValidUTF8(strings.Join(strings.Fields(string(text[from:to])), " "), "")
	if from > 0 {
		p = "… " + p
	}
	if to < len(text) {
		p += " …"
	}
	return p, to
}

// lower returns a text in small letters in the memory of another one, and whether each letter has its place.
func lower(into, text []byte) (small []byte, same bool) {
	into = into[:0]
	for _, c := range text {
		if c >= 0x80 {
			small = bytes.ToLower(text)
			return small, len(small) == len(text)
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		into = append(into, c)
	}
	return into, true
}
