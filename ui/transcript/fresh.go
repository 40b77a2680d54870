package transcript

import "strings"

// noteFresh records the first item that arrived while the reader was elsewhere, until the reader has seen the end and the
// item is off the screen.
func (f *feed) noteFresh() {
	if f.fresh != nil {
		return
	}
	i, ok := f.rows.FirstUnseen()
	for ; ok && i < len(f.list); i++ {
		if it := f.list[i]; it.state().shown() {
			f.fresh = it
			return
		}
	}
}

// drawFresh draws a line above the first new item.
func (f *feed) drawFresh(rows []string) {
	if f.fresh == nil {
		return
	}
	l := f.look
	for y := range rows {
		i, row, ok := f.rows.ItemAt(y)
		if !ok {
			break
		}
		if f.list[i] != f.fresh {
			continue
		}
		if row < 0 {
			side := strings.Repeat("─", max(0, (l.Inner()-5)/2))
			rows[y] = "  " + l.Theme.Dim.Of(side) + l.Theme.Accent.Of(" new ") + l.Theme.Dim.Of(side)
		}
		return
	}
	if f.rows.Following() {
		f.fresh = nil
	}
}

// toFresh goes to the first new item.
func (f *feed) toFresh() {
	if f.fresh == nil {
		f.rows.JumpUnseen()
		return
	}
	for i := len(f.list) - 1; i >= 0; i-- {
		if f.list[i] == f.fresh {
			f.rows.Jump(i)
			f.rows.Scroll(-1) // the line above it
			return
		}
	}
}
