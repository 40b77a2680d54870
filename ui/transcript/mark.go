package transcript

// moveMark moves the mark of the fold key to the next item that can be folded, and reveals it.
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

// remark marks the last row on the screen that can be folded, unless the mark was moved by hand. It reports whether the mark
// moved.
func (w *window) remark() bool {
	if w.chosen {
		return false
	}
	f := w.on()
	before := f.mark
	f.setMark(w.lastFoldable())
	return f.mark != before
}

// lastFoldable returns the last item on the screen that can be folded, -1 if there is none.
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
