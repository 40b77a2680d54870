// Package lines is the chat in lines, for a screen reader, a terminal that can only print, or a pipe.
//
// A session, events through an inbox, and lines from a keyboard or a pipe come in. Out go lines, each text behind its
// speaker, and calls on the session. Nothing is drawn and nothing printed is changed. One goroutine owns all state; what
// takes long runs beside it and returns its result. Commands and their lists are those of ui/features; what a feature prints here is
// in its own room.
//
// The package writes only to its output, in text that cannot drive the terminal, and leaves the terminal's mode alone. It
// may not import the screen, and has no rule of its own.
package lines
