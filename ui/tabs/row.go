package tabs

import (
	"parley/internal/human"
	"parley/session"
)

// leastTitle is the least number of columns of a title.
const leastTitle = 8

// separator stands between tabs.
const separator = " · "

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

// row returns the row, and the column behind each tab that has room in it. How many have none, and how many of those ask, stands at its end.
func (s *Set) row(width int) (row string, ends []int) {
	if len(s.all) == 0 {
		return "", nil
	}
	th, ms := s.look.Theme, s.look.Measure
	room := max(leastTitle, (width-2)/len(s.all)-14)
	gap, at := "", 2
	for i, t := range s.all {
		name, words := ms.Clip(t.name(), room), t.does.words()
		took := ms.Width(gap) + ms.Width(name) + 2 + len(words)
		looks := th.Dim
		if t.does == asks || t.does == failed {
			looks = th.Warn
		}
		if rest, _ := s.rest(i + 1); at+took+len(rest) > width {
			rest, ask := s.rest(i)
			if looks = th.Dim; ask {
				looks = th.Warn
			}
			return "  " + row + looks.Of(rest), ends
		}
		row += th.Dim.Of(gap) + name + "  " + looks.Of(words)
		at += took
		ends, gap = append(ends, at), separator
	}
	return "  " + row, ends
}

// rest says how many tabs there are from one on, and how many of them ask; "" for none. It is ASCII.
func (s *Set) rest(from int) (text string, asked bool) {
	if from >= len(s.all) {
		return "", false
	}
	text = " +" + human.Number(len(s.all)-from)
	ask := 0
	for _, t := range s.all[from:] {
		if t.does == asks {
			ask++
		}
	}
	if ask > 0 {
		text += ", " + human.Count(ask, "asks", "ask")
	}
	return text, ask > 0
}
