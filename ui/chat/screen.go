package chat

// screen describes the last frame, and whether another one is due.
type screen struct {
	dirty bool     // a frame is due
	later bool     // the user does not wait for it
	rows  []string // of the last frame, used again
	// bodyTop is the row of the last frame in which the conversation begins, statusTop that of the status line.
	bodyTop, statusTop           int
	tabsTop                      int  // the row that names the tabs, -1 for none
	backgroundFrom, backgroundTo int  // the cells of the footer that count what runs in the background
	countFrom, countTo           int  // the cells of the header that count what is not accepted, none if they are equal
	kitty                        bool // the terminal distinguishes shift+enter from enter
}

// touch requests a frame.
func (s *screen) touch() { s.dirty = true }
