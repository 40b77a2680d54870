// Package paint owns the terminal.
//
// The event loop reads from the terminal and writes nowhere; every byte on the screen goes through a Painter. Whole frames
// come in, as rows of styled text, with the size of the window and the reports of the terminal. Out go the fewest bytes
// that turn one frame into the next, and the modes the program needs, which are given back on every way out: exit,
// suspension, an editor in the foreground, a panic, a signal.
//
// One goroutine writes. A slow terminal therefore delays frames and never the caller: Draw stores the frame and returns,
// and a terminal that is ready again gets the newest frame. A frame that responds to a key is painted at once, one of
// streaming text waits for its turn, and without a new frame nothing runs and nothing is written.
//
// The frame is the alternate screen, the normal one, or, inline, only as many rows as it needs: finished rows then go above
// it and belong to the terminal.
//
// The package lets only text, colors and hyperlinks through and drops any other control sequence in a row, so that a model
// or a file cannot drive the terminal. It may not know what a frame shows, import the event loop, or read from the terminal.
package paint
