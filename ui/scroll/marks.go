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
	for _, c := range t.Left { // marks of a row are in order
		f.markRows(c.Rows, c.First, first, marks, r)
	}
	f.markRows(t.Rows, 0, first, marks, r)
	return marks
}

// markRows adds the marks of rows of an item, of which the first is row at of the item, to those from row first on.
func (f *Finder) markRows(rows []Row, at, first int, marks [][]Mark, r Reading) {
	begin := min(max(first-at, 0), len(rows))
	for begin > 0 && rows[begin-1].Join != "\n" {
		begin--
	}
	for y := begin; y < min(first+len(marks)-at, len(rows)); {
		text, starts, end := lineOf(rows, y)
		for from, to := f.m.next(text, 0); from >= 0; from, to = f.m.next(text, to) {
			cellsOf(rows[y:end], starts, from, to, r, func(k int, m Mark) {
				if n := at + y + k - first; n >= 0 && n < len(marks) {
					marks[n] = append(marks[n], m)
				}
			})
		}
		y = end
	}
}

// lineOf returns the text of the line that begins in row y, where in it each row begins, and the row behind it.
func lineOf(rows []Row, y int) (text string, starts []int, end int) {
	for end = y; end < len(rows); {
		row := &rows[end]
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

// cellsOf calls visit with the cells of a part of a line in each row that shows some of it.
func cellsOf(rows []Row, starts []int, from, to int, r Reading, visit func(k int, m Mark)) {
	for k, start := range starts {
		row := &rows[k]
		if a, b := max(from-start, 0), min(to-start, len(row.Text)); a < b {
			visit(k, Mark{r.cell(row, a), r.cell(row, b)})
		}
	}
}

// Place returns the row in which the nth match of item i begins, and its cells in that row and those in which it
// continues. A match that is folded or otherwise not drawn is at row 0 and has no cells.
func (f *Finder) Place(i, nth int, r Reading) (row int, marks []Mark) {
	if f.m.query == "" || i < 0 || i >= len(f.list.items.slots) {
		return 0, nil
	}
	t := f.list.items.trace(i, r)
	left := t.Left
	for y := 0; y < len(t.Rows); {
		if len(left) > 0 && left[0].First == y {
			for x := 0; x < len(left[0].Rows); {
				if row, marks, x = f.placeLine(left[0].Rows, x, &nth, r); nth < 0 {
					return y + row, marks
				}
			}
			left = left[1:]
		}
		if row, marks, y = f.placeLine(t.Rows, y, &nth, r); nth < 0 {
			return row, marks
		}
	}
	return 0, nil
}

// placeLine takes the matches of the line that begins in row y off nth, and returns the row behind it. If nth is among them,
// it becomes less than 0, and the row and the cells of that match are returned.
func (f *Finder) placeLine(rows []Row, y int, nth *int, r Reading) (row int, marks []Mark, end int) {
	text, starts, end := lineOf(rows, y)
	for from, to := f.m.next(text, 0); from >= 0; from, to = f.m.next(text, to) {
		if *nth--; *nth >= 0 {
			continue
		}
		cellsOf(rows[y:end], starts, from, to, r, func(k int, m Mark) {
			if len(marks) == 0 {
				row = y + k
			}
			marks = append(marks, m)
		})
		break
	}
	return row, marks, end
}
