package tabs

import (
	"parley/session"
)

// leastTitle is the least number of columns of a title.
const leastTitle = 8

// Row returns the row that names the tabs, "" while there are none.
func (s *Set) Row(width int) string {
	row, _ := s.row(width)
	return row
}

// At returns the id of the session that stands at a column of the row, "" for none.
func (s *Set) At(x, width int) session.ID {
	_, ends := s.row(width)
	for i, end := range ends {
		if x < end {
			return s.all[i].session.ID()
		}
	}
	return ""
}

// row returns the row, and the column behind each tab that has room in it.
func (s *Set) row(width int) (row string, ends []int) {
	if len(s.all) == 0 {
		return "", nil
	}
	th, ms := s.look.Theme, s.look.Measure
	room := max(leastTitle, (width-2)/len(s.all)-14)
	at := 2
	for i, t := range s.all {
		name, words := ms.Clip(t.name(), room), t.does.words()
		looks := th.Dim
		if t.does == asks || t.does == failed {
			looks = th.Warn
		}
		took := ms.Width(name) + 2 + len(words)
		if i > 0 {
			took += 3
		}
		if at+took > width {
			break
		}
		if i > 0 {
			row += th.Dim.Of(" · ")
		}
		row += name + "  " + looks.Of(words)
		at += took
		ends = append(ends, at)
	}
	return "  " + row, ends
}
