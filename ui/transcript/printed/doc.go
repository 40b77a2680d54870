// Package printed prints a session line by line, for a screen reader or a terminal that can only print.
//
// In come the events of the session; out go lines, each text behind its speaker. Nothing is drawn, and nothing printed is changed.
// One goroutine owns an [Announcer].
package printed
