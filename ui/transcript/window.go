package transcript

import (
	"parley/ui/style"
	"parley/ui/transcript/prompt"
)

// window is the conversation on the screen: that of the session, or of the child agent which the user looks into, with
// the rows of the last frame. The search, the copy mode and the mouse work on it.
type window struct {
	look     *style.Look
	opts     Options
	feed     *feed        // of the session
	children []*childView // looked into, the innermost last
	chosen   bool         // the user moved the mark of the fold key

	rows    []string // of the last frame
	room    int      // rows that it had room for
	changed bool     // the screen must be drawn
}

// on returns the feed on the screen: that of the child looked into, else that of the session.
func (w *window) on() *feed {
	if n := len(w.children); n > 0 {
		return w.children[n-1].feed
	}
	return w.feed
}

// inline reports whether the terminal shows the conversation, in its scrollback.
func (w *window) inline() bool { return w.opts.Inline && len(w.children) == 0 }

// reframe updates the rows after a scroll, for what reads them before the next frame.
func (w *window) reframe() { w.rows = append(w.rows[:0], w.on().rows.Frame()...) }

// plainRow returns a row of the last frame without styles, "" where there is none.
func (w *window) plainRow(y int) string {
	if y < 0 || y >= len(w.rows) {
		return ""
	}
	return style.Unstyled(w.rows[y])
}

// click opens or folds the item whose row was clicked, and reports whether it did.
func (w *window) click(y int) bool {
	f := w.on()
	i, row, ok := f.rows.ItemAt(y)
	if !ok || row < 0 || !f.list[i].foldable() {
		return false
	}
	switch open := f.list[i].state().isOpen(); {
	case row > 0 && open:
		return false // it was opened to be read
	case f.list[i].begins() && row < prompt.Long && !open:
		return false
	}
	w.chosen = true
	f.setMark(i)
	f.fold(i)
	return true
}
