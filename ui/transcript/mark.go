package transcript

// moveMark moves the mark of the fold key to the next foldable item, and reveals it.
func (w *window) moveMark(step int) {
	f := w.on()
	from := f.mark + step
	if f.mark < 0 {
		from = len(f.list) - 1
	}
	if i := f.foldable(from, step); i >= 0 {
		w.chosen = true
		f.setMark(i)
		f.rows.Reveal(i)
	}
}

// remark marks the last foldable item on the screen, unless the user moved the mark, and reports whether the mark moved.
func (w *window) remark() bool {
	if w.chosen {
		return false
	}
	f := w.on()
	before := f.mark
	f.setMark(w.lastFoldable())
	return f.mark != before
}

// lastFoldable returns the last foldable item on the screen, -1 if there is none.
func (w *window) lastFoldable() int {
	f := w.on()
	first, _, ok := f.rows.ItemAt(0)
	if !ok {
		return -1
	}
	for y := len(w.rows) - 1; y >= 0; y-- {
		last, _, ok := f.rows.ItemAt(y)
		if !ok {
			continue
		}
		if i := f.foldable(last, -1); i >= first {
			return i
		}
		return -1
	}
	return -1
}
