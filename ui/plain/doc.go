// Package plain holds the chat in lines, for a screen reader, a terminal that can only print, or a pipe.
//
// In come a session, events through an inbox, and lines from a keyboard or a pipe. Out go lines, each beginning with who
// speaks, and calls on the session. Nothing is drawn and nothing printed is changed. One goroutine owns all state; what
// takes time runs beside it and hands its result back. What is done with a session is done by ui/chat, what is asked is
// ui/question.
//
// The package writes only to its output, in text that cannot drive the terminal, and leaves the terminal's mode alone. It
// may not import the screen.
package plain
