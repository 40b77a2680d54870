package fuzzy

// The score of a letter that matches, by its position. Sums are comparable between texts for the same query only.
const (
	matches     = 16
	inRow       = 14 // right after another that matches
	atStart     = 24 // of the name
	afterSlash  = 20
	afterSign   = 14 // behind . _ - or a blank
	atHump      = 12 // aB
	inName      = 8  // rather than in a directory
	sameCase    = 4  // of a capital in the query
	gap         = 2  // subtracted for each letter between, up to maxGap
	maxGap      = 20
	wholeName   = 60 // the query is all of the name, or all before its first dot
	startOfName = 30
)

// lower maps each byte to itself, and ASCII capitals to small letters.
var lower = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
	}
	for c := 'A'; c <= 'Z'; c++ {
		t[c] += 'a' - 'A'
	}
	return t
}()

// Fold returns the small letter of an ASCII capital, and other bytes as they are.
func Fold(c byte) byte { return lower[c] }

// Query scores texts for the letters that a user typed. It is not safe for concurrent use, because it reuses a buffer.
type Query struct {
	query, written string
	at             []int // the positions of the letters in the text that was scored last
}

// New returns the query for what a user typed.
func New(typed string) *Query {
	folded := make([]byte, len(typed))
	for i := range len(typed) {
		folded[i] = Fold(typed[i])
	}
	return &Query{query: string(folded), written: typed}
}

// Folded returns the query in small letters.
func (s *Query) Folded() string { return s.query }

// At returns the byte positions of the query's letters in the text that was scored last. It is valid until the next score.
func (s *Query) At() []int { return s.at }

// Score returns how well a text matches, higher is better; ok is false if it does not. The letters of the query must
// come in their order, preferably within the name, which begins at base: in a path, after its last directory.
func (s *Query) Score(path []byte, base int) (score int, ok bool) {
	s.at = s.at[:0]
	if len(s.query) == 0 {
		return 0, true
	}
	end := s.end(path, 0)
	if end < 0 {
		return 0, false
	}
	if inName := s.end(path, base); inName >= 0 {
		s.place(path, inName)
		return s.value(path, base) + s.bonus(path, base), true
	}
	s.place(path, end)
	return s.value(path, base), true
}

// end returns the index after the byte that completes the query, beginning at from; -1 if none does.
func (s *Query) end(path []byte, from int) int {
	q, c := 0, s.query[0]
	for i := from; i < len(path); i++ {
		if lower[path[i]] != c {
			continue
		}
		if q++; q == len(s.query) {
			return i + 1
		}
		c = s.query[q]
	}
	return -1
}

// place finds the positions of the letters before end, backwards, which keeps them close together.
func (s *Query) place(path []byte, end int) {
	q := len(s.query)
	if cap(s.at) < q {
		s.at = make([]int, q+8)
	}
	s.at = s.at[:q]
	for i := end - 1; q > 0; i-- {
		if lower[path[i]] == s.query[q-1] {
			q--
			s.at[q] = i
		}
	}
	s.improve(path)
}

// improve moves the letters to the start of a later word where they are all in a row: "main" matches the name in cmd/main.go
// better than letters spread over the path.
func (s *Query) improve(path []byte) {
	n := len(s.query)
	for i := s.at[0] + 1; i+n <= len(path); i++ {
		if Fold(path[i]) != s.query[0] || place(path, i) == 0 {
			continue
		}
		k := 1
		for k < n && Fold(path[i+k]) == s.query[k] {
			k++
		}
		if k == n {
			for k := range n {
				s.at[k] = i + k
			}
			return
		}
	}
}

// place returns the score of a letter's position.
func place(path []byte, i int) int {
	if i == 0 {
		return afterSlash
	}
	switch c := path[i-1]; {
	case c == '/':
		return afterSlash
	case c == '.' || c == '_' || c == '-' || c == ' ':
		return afterSign
	case c >= 'a' && c <= 'z' && path[i] >= 'A' && path[i] <= 'Z':
		return atHump
	}
	return 0
}

// value returns the sum of the letters that were placed.
func (s *Query) value(path []byte, base int) (v int) {
	for q, i := range s.at {
		v += matches + place(path, i)
		if i == base {
			v += atStart
		}
		if i >= base {
			v += inName
		}
		if c := s.written[q]; c == path[i] && c != s.query[q] {
			v += sameCase
		}
		if q == 0 {
			continue
		}
		if d := i - s.at[q-1] - 1; d == 0 {
			v += inRow
		} else {
			v -= min(d*gap, maxGap)
		}
	}
	return v
}

// bonus returns the extra score of a name that the query begins or equals.
func (s *Query) bonus(path []byte, base int) int {
	n := len(s.at)
	if s.at[0] != base || s.at[n-1] != base+n-1 {
		return 0
	}
	end := base + n
	if end == len(path) || path[end] == '.' || path[end] == '/' {
		return startOfName + wholeName
	}
	return startOfName
}
