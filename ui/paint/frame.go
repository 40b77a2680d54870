package paint

import (
	"io"

	"github.com/charmbracelet/colorprofile"
)

// Pos is a cell of the screen; 0, 0 is the top left corner.
type Pos struct{ X, Y int }

// Frame is a whole screen.
type Frame struct {
	// Rows are the rows from the top, without line ends. They may hold SGR and hyperlink (OSC 8) sequences; each row starts
	// without a style. A row wider than the screen is cut, a missing row is blank, and rows below the screen are dropped.
	Rows []string
	// Cursor is the cell of the terminal's cursor, if CursorVisible.
	Cursor        Pos
	CursorVisible bool
	// CursorShape is the cursor's shape as in DECSCUSR: 1 to 6, odd ones blink, in the order block, underline, bar. 0 is
	// the user's. It is not sent to terminals that do not support it.
	CursorShape int
	// Above are finished rows for an inline painter, which writes them above the frame for good, in their order. Those of a
	// frame that a newer one replaces are written too.
	Above []string
	// Title is the title of the window. It is written when it differs from the previous one, unless it is empty.
	Title string
}

// Urgency is the time within which a frame must be painted.
type Urgency uint8

const (
	// Soon is for output that arrives on its own, such as streaming text: the frame waits for its turn.
	Soon Urgency = iota
	// Now is for the response to an input: the frame is painted as soon as the terminal takes it.
	Now
)

// Options describe the terminal of a Painter.
type Options struct {
	// Out is the terminal. Writes may block; only one runs at a time, except that Emergency writes beside one that is stuck.
	Out io.Writer
	// Env is the environment as in os.Environ. SSH_TTY or SSH_CONNECTION mean a remote terminal. Without a Profile it also
	// decides the colors.
	Env []string
	// Width and Height are in cells. While either is 0 nothing is painted.
	Width, Height int
	// Profile is the number of colors of the terminal; Unknown takes it from Env, NO_COLOR included.
	Profile colorprofile.Profile
	// AltScreen uses the alternate screen, which leaves the user's scrollback unchanged. Without it the frame covers the
	// normal screen.
	AltScreen bool
	// Inline, without AltScreen, draws the frame from the cursor on, with only its own rows. Finished rows go above it
	// (Frame.Above) and scroll like the output of any program. Of a frame higher than the screen the last rows are shown.
	Inline bool
	// Mouse is the initial value of SetMouse.
	Mouse bool
	// Quiet sends no requests to the terminal, for output that cannot answer.
	Quiet bool
	// Parting is a sequence that ends what Send may have begun, such as progress in the task bar. It is written whenever the
	// terminal is given back, if Send would write it.
	Parting string
	// Restore, if not nil, restores the line discipline. Emergency calls it once, after the modes are given back, from any
	// goroutine.
	Restore func()
}

// Stats are counters since New.
type Stats struct {
	// Drawn is the number of frames that were passed to Draw, Painted of those that were compared with the screen. The others were
	// replaced by a newer frame before their turn.
	Drawn, Painted int
	// Shown is the newest frame, by its number in Drawn, that was written to the terminal. An earlier input cannot have been
	// a response to it.
	Shown int
	// Writes and Bytes count what was written to the terminal, modes included. An unchanged frame writes nothing.
	Writes, Bytes int
	// Rows is the number of rows that differed from the screen.
	Rows int
}
