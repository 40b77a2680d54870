package paint

import (
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// shiftRows is the number of rows saved from which a shift is worth its sequences.
const shiftRows = 3

// shift scrolls a part of the terminal if that moves many rows to their place in the next frame.
func (s *screen) shift(row func(int) string) {
	by, top, bottom := s.findShift(row)
	if by == 0 {
		return
	}
	s.setPen(uv.Style{}, uv.Link{}) // new rows are blank in the color of the pen
	s.sequence('r', top+1, bottom+1)
	if by > 0 {
		s.sequence('H', bottom+1, 1)
		s.out.WriteString(strings.Repeat("\n", by))
	} else {
		s.sequence('H', top+1, 1)
		s.out.WriteString(strings.Repeat("\x1bM", -by))
	}
	s.sequence('r')
	s.at = Pos{-1, -1}

	region := s.shown[top : bottom+1]
	rotate(region, by)
	in := region[:max(0, -by)]
	if by > 0 {
		in = region[len(region)-by:]
	}
	for y := range in {
		s.blank(&in[y])
	}
}

// findShift finds rows of the next frame that are elsewhere on the screen. It returns by how many rows they move up (down if
// negative) and the first and last row of their region. by is 0 if a shift is not worth it.
func (s *screen) findShift(row func(int) string) (by, top, bottom int) {
	changed := 0
	for y := range s.shown {
		if row(y) != s.shown[y].text {
			changed++
		}
	}
	if changed <= shiftRows {
		return 0, 0, 0
	}
	s.spell(row)
	by = s.commonShift()
	if by == 0 {
		return 0, 0, 0
	}
	best := shiftRows - 1
	first, saved := -1, 0
	for y := max(0, -by); y <= min(s.h, s.h-by); y++ {
		if y < min(s.h, s.h-by) && s.next[y] == s.shown[y+by].letters {
			if first < 0 {
				first, saved = y, 0
			}
			if s.next[y] != s.shown[y].letters {
				saved++
			}
			if saved > best {
				best, top, bottom = saved, first, y
			}
			continue
		}
		first = -1
	}
	if best < shiftRows {
		return 0, 0, 0
	}
	if by > 0 {
		if s.goesOn(row, bottom+1, by) {
			bottom++
		}
		return by, top, bottom + by
	}
	return by, top + by, bottom
}

// goesOn reports whether row y of the next frame extends the row that is by rows further down, as the last row of streaming
// text does. Then it is worth moving too.
func (s *screen) goesOn(row func(int) string, y, by int) bool {
	if y+by >= s.h {
		return false
	}
	old, new := s.shown[y+by].text, row(y)
	if row(y+by) == old || len(old) < 2*shiftRows { // it stays, or it is short
		return false
	}
	n := 0
	for n < min(len(old), len(new)) && old[n] == new[n] {
		n++
	}
	return n > len(old)*2/3
}

// commonShift returns the distance that most of the changed rows move, 0 if too few move together. A text that stands in
// several rows, as in a list or in code, counts for each distance.
func (s *screen) commonShift() (best int) {
	s.number()
	most := shiftRows - 1
	for d := 1; d < s.h-most; d++ {
		for _, by := range [2]int{d, -d} {
			if n := s.moved(by); n > most {
				best, most = by, n
			}
		}
	}
	return best
}

// spell fills next with the hashes of the letters of the next frame. A row that moves and is colored in the same frame is
// worth moving: only its colors are written then.
func (s *screen) spell(row func(int) string) {
	s.next = s.next[:0]
	for y := range s.shown {
		h := s.shown[y].letters
		if text := row(y); text != s.shown[y].text {
			h = s.hash(text)
		}
		s.next = append(s.next, h)
	}
}

// number numbers the rows of the screen in from and those of the next frame in to, those with equal letters alike. Blank and
// new rows are 0; rows that stay are -1 in to.
func (s *screen) number() {
	clear(s.where)
	s.from, s.to = s.from[:0], s.to[:0]
	for y := range s.shown {
		h, n := s.shown[y].letters, 0
		if h != 0 {
			if n = s.where[h]; n == 0 {
				n = len(s.where) + 1
				s.where[h] = n
			}
		}
		s.from = append(s.from, n)
	}
	for y, h := range s.next {
		n := -1
		if h != s.shown[y].letters {
			n = s.where[h]
		}
		s.to = append(s.to, n)
	}
}

// hash returns a hash of the letters of a row, 0 for an empty one. Two rows of the same hash may differ, which costs a shift
// that saves nothing.
func (s *screen) hash(text string) uint64 {
	if text == "" {
		return 0
	}
	s.hasher.Reset()
	for len(text) > 0 {
		i := strings.IndexByte(text, ansi.ESC)
		if i < 0 {
			i = len(text)
		}
		_, _ = s.hasher.WriteString(text[:i])
		text = text[i:]
		text = text[control(text):]
	}
	return s.hasher.Sum64() | 1
}

// control returns the length of the control sequence with which a text begins, as rows have them: CSI, or a string that ends
// with ST or BEL. What is no sequence has the length 1 at least.
func control(text string) int {
	switch {
	case len(text) < 2:
		return len(text)
	case text[1] == '[':
		for i := 2; i < len(text); i++ {
			if text[i] >= '@' && text[i] <= '~' {
				return i + 1
			}
		}
		return len(text)
	case text[1] == ']':
		for i := 2; i < len(text); i++ {
			if text[i] == ansi.BEL {
				return i + 1
			}
			if text[i] == ansi.ESC {
				return min(i+2, len(text))
			}
		}
		return len(text)
	}
	return 1
}

// moved returns how many changed rows of the next frame are by rows further down on the screen.
func (s *screen) moved(by int) (n int) {
	for y := max(0, -by); y < min(s.h, s.h-by); y++ {
		if to := s.to[y]; to > 0 && to == s.from[y+by] {
			n++
		}
	}
	return n
}

// rotate rotates the rows towards the front, towards the end if by is negative.
func rotate(rows []shownRow, by int) {
	n := len(rows)
	by = ((by % n) + n) % n
	slices.Reverse(rows[:by])
	slices.Reverse(rows[by:])
	slices.Reverse(rows)
}
