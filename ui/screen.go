package ui

import (
	"parley/ui/paint"
	"parley/ui/style"
)

// screen is the window: its size, and what the last frame was.
type screen struct {
	opts    *Options
	work    background
	painter *paint.Painter
	look    *style.Look

	width, height int
	dirty         bool     // a frame is due
	rows          []string // of the last frame, used again
	// bodyTop is the row of the last frame in which the conversation begins, statusTop that of the status line.
	bodyTop, statusTop int
	kitty              bool // the terminal tells shift+enter from enter
	highlightDue       bool // a highlightDueMsg is to come
	counts             Counts
}

// Counts are what the screen did, for tests of its budget.
type Counts struct {
	Updates int // messages handled
	Frames  int // frames built
	Layouts int // items laid out
}
