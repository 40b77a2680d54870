// Package editor runs the user's editor on a text.
//
// In come a text and the command line of the editor; out goes the text as it was saved. An [Edit] has the methods that Bubble
// Tea wants of what takes the terminal over; the editor gets the terminal itself, and the caller gives it away and takes it
// back. The package knows nothing of the screen.
package editor
