package files

// How much a letter that fits is worth, by where it stands. The sums are compared between paths for the same query only.
const (
	fits        = 16
	inRow       = 14 // right behind another that fits
	atStart     = 24 // of the name
	afterSlash  = 20
	afterSign   = 14 // behind . _ - or a blank
	atHump      = 12 // aB
	inName      = 8  // rather than in a directory
	sameCase    = 4  // of a capital in the query
	gap         = 2  // taken off for what lies between, up to maxGap
	maxGap      = 20
	wholeName   = 60 // the query is all of the name, or all before its first dot
	startOfName = 30
)

// small holds for every byte the same, but a small letter for an ASCII capital.
var small = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
	}
	for c := 'A'; c <= 'Z'; c++ {
		t[c] += 'a' - 'A'
	}
	return t
}()

func fold(c byte) byte { return small[c] }

// scorer compares paths with a query, which is folded. It keeps a buffer and has one owner.
type scorer struct {
	query, written string
	at             []int // where the letters of the query stand
}

// score returns how well the query fits the path, of which the name begins at base. ok is false if it does not. The
// letters of the query have to come in their order. Where they can be found in the name alone that is better.
func (s *scorer) score(path []byte, base int) (score int, ok bool) {
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

// end returns behind which byte all letters are found, looking from a place on, -1 if they are not.
func (s *scorer) end(path []byte, from int) int {
	q, c := 0, s.query[0]
	for i := from; i < len(path); i++ {
		if small[path[i]] != c {
			continue
		}
		if q++; q == len(s.query) {
			return i + 1
		}
		c = s.query[q]
	}
	return -1
}

// place finds where the letters stand that are found before end: the way back from there has them as near together as can
// be.
func (s *scorer) place(path []byte, end int) {
	q := len(s.query)
	if cap(s.at) < q {
		s.at = make([]int, q+8)
	}
	s.at = s.at[:q]
	for i := end - 1; q > 0; i-- {
		if small[path[i]] == s.query[q-1] {
			q--
			s.at[q] = i
		}
	}
	s.improve(path)
}

// improve moves a letter to the start of a later word if all that follow it stand there in a row: "main" is better found
// in cmd/main.go's name than spread over it.
func (s *scorer) improve(path []byte) {
	n := len(s.query)
	for i := s.at[0] + 1; i+n <= len(path); i++ {
		if fold(path[i]) != s.query[0] || place(path, i) == 0 {
			continue
		}
		k := 1
		for k < n && fold(path[i+k]) == s.query[k] {
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

// place is what the place of a letter is worth.
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

// value adds up the letters that were placed.
func (s *scorer) value(path []byte, base int) (v int) {
	for q, i := range s.at {
		v += fits + place(path, i)
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

// bonus is for names that the query begins, or is.
func (s *scorer) bonus(path []byte, base int) int {
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
