package scroll

// Mark is a run of cells of one row that show a match.
type Mark struct{ From, To int }

// Marks returns the cells of matches in the rows of item i from first up to last, which is excluded. It reads these rows
// only. A match continues in the next row where a line was wrapped. Matches in folded text have no cells.
func (f *Finder) Marks(i, first, last int, r Reading) [][]Mark {
	last = max(last, first)
	marks := make([][]Mark, last-first)
	if f.m.query == "" || i < 0 || i >= len(f.list.items.slots) {
		return marks
	}
	t := f.list.items.trace(i, r)
	begin := min(max(first, 0), len(t.Rows))
	for begin > 0 && t.Rows[begin-1].Join != "\n" {
		begin--
	}
	for y := begin; y < min(last, len(t.Rows)); {
		y = f.markLine(&t, y, first, marks, r)
	}
	return marks
}

// lineOf returns the text of the line that begins in row y, where in it each row begins, and the row behind it.
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

// Place returns the row in which the nth match of item i begins, and its cells in that row and those in which it
// continues. A match that is folded or otherwise not drawn is at row 0 and has no cells.
func (f *Finder) Place(i, nth int, r Reading) (row int, marks []Mark) {
	if f.m.query == "" || i < 0 || i >= len(f.list.items.slots) {
		return 0, nil
	}
	t := f.list.items.trace(i, r)
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
