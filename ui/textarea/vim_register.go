package textarea

// register holds the text that vim's commands yank and put: the kill ring, which does not know whole lines.
type register struct {
	ring  *ring
	kills int    // the ring's count when whole lines were added last
	lines string // these lines
}

// add adds text to the ring.
func (r *register) add(text string) { r.ring.add(text) }

// addLines adds whole lines to the ring.
func (r *register) addLines(text string) {
	r.ring.add(text)
	r.kills, r.lines = r.ring.kills, text
}

// text returns what is to be put, and whether it is whole lines.
func (r *register) text() (text string, lines bool) {
	if r.kills > 0 && r.kills == r.ring.kills {
		return r.lines, true
	}
	if n := len(r.ring.texts); n > 0 {
		return r.ring.texts[n-1], false
	}
	return "", false
}
