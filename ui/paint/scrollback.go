package paint

// scrollback is the rows of an inline frame that a window that gets lower pushes into the terminal's scrollback, where they stay.
type scrollback struct {
	high []string // known rows of the frame above the cursor while they wait to be erased
	gone []string // rows that were pushed away, the first of those that were unfinished then
}

// pass leaves the first n rows above the frame.
func (s *scrollback) pass(n int) {
	if n > 0 {
		s.gone = append(s.gone, s.high[:n]...)
		s.high = s.high[n:]
	}
}

// stay leaves the rows above the one with which the frame begins in a lower window, and returns how many.
func (s *scrollback) stay(rows []string) int {
	at, most := 0, 0
	for i := range s.high {
		n := 0
		for i+n < len(s.high) && n < len(rows) && s.high[i+n] == rows[n] {
			n++
		}
		if n > most {
			at, most = i, n
		}
	}
	s.pass(at)
	return at
}

// drop returns the finished rows that were not pushed into the scrollback as part of the frame.
func (s *scrollback) drop(above []string) []string {
	if len(s.gone) == 0 || len(above) == 0 {
		return above
	}
	n := 0
	for n < len(above) && n < len(s.gone) && above[n] == s.gone[n] {
		n++
	}
	if s.gone = s.gone[n:]; n < len(above) {
		s.gone = nil // the following rows have changed
	}
	return above[n:]
}
