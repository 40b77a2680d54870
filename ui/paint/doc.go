// Package paint owns the terminal.
//
// The event loop listens to the terminal and writes nowhere; every byte that reaches the screen goes through a Painter.
// In come whole frames as rows of styled text, the size of the window and the reports of the terminal. Out go the
// fewest bytes that turn the previous frame into the next, and the modes the program needs, taken at the start and
// given back on every way out: exit, suspend, an editor in the foreground, a panic, a signal.
//
// One goroutine writes. A slow terminal therefore delays frames and never the caller: Draw stores the frame and
// returns, and when the terminal is ready again it gets the newest frame, not the queue of all of them. A frame that
// answers a key is painted at once, a frame of streaming text waits for its turn, and without a new frame nothing runs
// and nothing is written.
//
// The frame is the alternate screen, all of the normal one, or, inline, only so many rows of it as it needs: what is
// finished then goes above it and is the terminal's own from there on.
//
// The package lets nothing but text, colours and hyperlinks through: a row that carries any other control sequence has
// it dropped, so that what a model or a file says cannot drive the terminal. It may not know what a frame shows, import
// the event loop, or read from the terminal.
package paint
