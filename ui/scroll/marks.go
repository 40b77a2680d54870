package scroll

// Mark is a run of cells of one row in which a match is drawn.
type Mark struct{ From, To int }

// Marks returns where in rows from first to last (the one behind) of item i the query of the finder is drawn, by row. A
// match may go over several rows where a line was only broken to fit. It looks at these rows only, so it is for what is
// visible. Text that is folded away is found but not drawn.
func (f *Finder) Marks(i, first, last int, r Reading) [][]Mark {
	last = max(last, first)
	marks := make([][]Mark, last-first)
	if f.m.query == "" || i < 0 || i >= len(f.list.slots) {
		return marks
	}
	t := f.list.trace(i, r)
	begin := min(max(first, 0), len(t.Rows))
	for begin > 0 && t.Rows[begin-1].Join != "\n" {
		begin--
	}
	for y := begin; y < min(last, len(t.Rows)); {
		y = f.markLine(&t, y, first, marks, r)
	}
	return marks
}

// lineOf returns the text of the line that begins in row y, where in it the text of each of its rows begins, and the row
// behind it.
func lineOf(t *Trace, y int) (text string, starts []int, end int) {
	for end = y; end < len(t.Rows); {
		row := &t.Rows[end]
		starts = append(starts, len(text))
		text += row.Text
		end++
		if row.Join == "\n" {
			break
		}
		text += row.Join
	}
	return text, starts, end
}

// markLine marks the matches in the line that begins in row y and returns the row behind it.
func (f *Finder) markLine(t *Trace, y, first int, marks [][]Mark, r Reading) int {
	text, starts, end := lineOf(t, y)
	for from, to := f.m.next(text, 0); from >= 0; from, to = f.m.next(text, to) {
		for k, start := range starts {
			row := &t.Rows[y+k]
			a, b := max(from-start, 0), min(to-start, len(row.Text))
			if n := y + k - first; a < b && n >= 0 && n < len(marks) {
				marks[n] = append(marks[n], Mark{r.cell(row, a), r.cell(row, b)})
			}
		}
	}
	return end
}

// Place returns where the nth match of item i is drawn: the row in which it begins, and its cells in that row and in
// those below that it goes on in. A match that is folded away, or stands in marks that are not drawn, is at the first row
// and has no cells.
func (f *Finder) Place(i, nth int, r Reading) (row int, marks []Mark) {
	if f.m.query == "" || i < 0 || i >= len(f.list.slots) {
		return 0, nil
	}
	t := f.list.trace(i, r)
	for y := 0; y < len(t.Rows); {
		text, starts, end := lineOf(&t, y)
		for from, to := f.m.next(text, 0); from >= 0; from, to = f.m.next(text, to) {
			if nth--; nth >= 0 {
				continue
			}
			for k, start := range starts {
				at := &t.Rows[y+k]
				a, b := max(from-start, 0), min(to-start, len(at.Text))
				if a >= b {
					continue
				}
				if len(marks) == 0 {
					row = y + k
				}
				marks = append(marks, Mark{r.cell(at, a), r.cell(at, b)})
			}
			return row, marks
		}
		y = end
	}
	return 0, nil
}

// RowOf returns the row of item i in which its nth match begins, as far as matches are drawn; the first row if it is
// folded away.
func (f *Finder) RowOf(i, nth int, r Reading) int {
	row, _ := f.Place(i, nth, r)
	return row
}
