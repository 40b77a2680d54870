package paint

import (
	"io"

	"github.com/charmbracelet/colorprofile"
)

// Pos is a cell on the screen, counted from the top left corner, which is 0, 0.
type Pos struct{ X, Y int }

// Frame is a whole screen.
type Frame struct {
	// Rows are the rows from the top, without line ends. They may carry SGR and hyperlink (OSC 8) sequences, and each
	// row starts without any style. A row wider than the screen is cut, a missing row is blank, and rows below the
	// screen are not shown.
	Rows []string
	// Cursor is where the terminal's own cursor stands, if CursorVisible.
	Cursor        Pos
	CursorVisible bool
	// CursorShape is the cursor's shape as in DECSCUSR: 1 to 6, odd ones blink, in the order block, underline, bar. 0 is
	// how the user likes it. Terminals that are known not to understand it are not told.
	CursorShape int
	// Above are rows that are finished, for an inline painter: they go above the frame for good, into what the terminal
	// scrolls, in the order in which they came. Those of a frame that a newer one replaces are not lost.
	Above []string
	// Title is the title of the window. It changes the terminal's only when it differs from the previous one; the
	// empty title leaves it alone.
	Title string
}

// Urgency says how soon a frame has to be seen.
type Urgency uint8

const (
	// Soon is for output that arrives by itself, such as streaming text: the frame waits for its turn.
	Soon Urgency = iota
	// Now is for the answer to something the user did: the frame is painted as soon as the terminal takes it.
	Now
)

// Options are what a Painter needs to know about its terminal.
type Options struct {
	// Out is the terminal. Writes may block for as long as they like; only one is under way at a time, except that
	// Emergency writes beside one that is stuck.
	Out io.Writer
	// Env is the environment as in os.Environ. SSH_TTY or SSH_CONNECTION mean a distant terminal. With no Profile it
	// also decides the colours.
	Env []string
	// Width and Height are in cells. While either is 0 nothing is painted, and the first Resize starts it.
	Width, Height int
	// Profile is how many colours the terminal has; Unknown takes it from Env, where NO_COLOR counts.
	Profile colorprofile.Profile
	// AltScreen takes the alternate screen, which leaves the user's scrollback as it was. Without it the frame covers
	// the rows of the normal screen.
	AltScreen bool
	// Inline, if AltScreen is not set, leaves the screen to what is there: the frame takes the rows from the cursor on and
	// no more than it has, what is finished goes above it (Frame.Above) and scrolls away as the output of any program
	// does. Of a frame higher than the screen the last rows are shown.
	Inline bool
	// Mouse asks for clicks, drags and the wheel from the start, see SetMouse.
	Mouse bool
	// Quiet sends no questions to the terminal, for output that nobody answers.
	Quiet bool
	// Parting is a sequence that ends something Say may have begun, such as progress in the task bar. It is written
	// whenever the terminal is given back; empty for none. The same sequences are let through as by Say.
	Parting string
	// Restore, if not nil, is called once by Emergency after the modes are given back, to put the line discipline back
	// as it was found. It must be safe to call from any goroutine.
	Restore func()
}

// Stats counts what a Painter did. All counts are since New.
type Stats struct {
	// Drawn is how many frames were handed to Draw, Painted how many of them were compared with the screen. The rest
	// were replaced by a newer frame before their turn.
	Drawn, Painted int
	// Shown is the newest frame, by its number in Drawn, that the terminal has taken in whole. What the user did before
	// that cannot have been an answer to it.
	Shown int
	// Writes and Bytes are what went to the terminal, modes included. A frame that changes nothing writes nothing.
	Writes, Bytes int
	// Rows is how many rows differed from the screen and were laid out as cells.
	Rows int
}
