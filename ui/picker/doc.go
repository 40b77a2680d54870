// Package picker is a list to choose from, filtered by what is typed, with a preview of the selected row.
//
// In come rows whose texts are visible, what can be done with a row, keys and pasted text. Out come rows for the screen, and
// an [Action] that the root carries out: a row was picked, dropped, moved, forked, or its preview is missing.
//
// The package knows neither what the rows stand for nor where they come from; it runs nothing. One goroutine, the event
// loop, may use a [Picker].
package picker
