// Package list is a list to choose from, filtered by what is typed, with a preview of the selected row: the [Picker], and the
// [Panel] that covers the chat with one.
//
// In come rows whose texts are visible, what can be done with a row, keys and pasted text. Out come rows for the screen, and what
// the [Source] of the list makes of a choice.
//
// The package knows neither what the rows stand for nor where they come from. One goroutine, the event loop, may use a list.
package list
