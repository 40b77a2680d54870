package paint

import (
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// A shift is worth its sequences from this number of rows that need not be written.
const shiftRows = 3

// shift scrolls a part of the terminal if that brings many rows to where they are in the next frame.
func (s *screen) shift(row func(int) string) {
	by, top, bottom := s.findShift(row)
	if by == 0 {
		return
	}
	s.setPen(uv.Style{}, uv.Link{}) // the rows that come in are blank in the colour of the pen
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

// findShift looks for rows of the next frame that stand elsewhere on the screen. It returns by how many rows they have
// to go up (down if negative) and the first and last row of the region in which they do. by is 0 if it is not worth it.
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
	by = s.commonShift(row)
	if by == 0 {
		return 0, 0, 0
	}
	best := shiftRows - 1
	first, saved := -1, 0
	for y := max(0, -by); y <= min(s.h, s.h-by); y++ {
		if y < min(s.h, s.h-by) && row(y) == s.shown[y+by].text {
			if first < 0 {
				first, saved = y, 0
			}
			if row(y) != s.shown[y].text {
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

// goesOn reports whether row y of the next frame is the one by rows further down with more behind it, as the last row of
// streaming text is: then it is worth moving too.
func (s *screen) goesOn(row func(int) string, y, by int) bool {
	if y+by >= s.h {
		return false
	}
	old, new := s.shown[y+by].text, row(y)
	if row(y+by) == old || len(old) < 2*shiftRows { // it stays where it is, or there is hardly anything
		return false
	}
	n := 0
	for n < min(len(old), len(new)) && old[n] == new[n] {
		n++
	}
	return n > len(old)*2/3
}

// commonShift returns the distance that most of the changed rows have to go, 0 if it is not the same for some. Texts that
// stand in several rows count for every distance that suits them: in a list or in code many rows look alike.
func (s *screen) commonShift(row func(int) string) (best int) {
	s.number(row)
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

// number gives equal rows equal numbers: those of the screen in from, those of the next frame in to. Blank rows and rows
// that come from nowhere have 0, rows that stay -1 in to.
func (s *screen) number(row func(int) string) {
	clear(s.where)
	s.from, s.to = s.from[:0], s.to[:0]
	for y := range s.shown {
		text, n := s.shown[y].text, 0
		if text != "" {
			if n = s.where[text]; n == 0 {
				n = len(s.where) + 1
				s.where[text] = n
			}
		}
		s.from = append(s.from, n)
	}
	for y := range s.shown {
		n := -1
		if text := row(y); text != s.shown[y].text {
			n = s.where[text]
		}
		s.to = append(s.to, n)
	}
}

// moved is how many changed rows of the next frame stand by rows further down at present.
func (s *screen) moved(by int) (n int) {
	for y := max(0, -by); y < min(s.h, s.h-by); y++ {
		if to := s.to[y]; to > 0 && to == s.from[y+by] {
			n++
		}
	}
	return n
}

// rotate moves the elements towards the front by so many places, towards the end if negative. Those that fall out come
// in again at the other end.
func rotate(rows []shownRow, by int) {
	n := len(rows)
	by = ((by % n) + n) % n
	slices.Reverse(rows[:by])
	slices.Reverse(rows[by:])
	slices.Reverse(rows)
}
