// Package notice holds the line that reports what just happened, and the lines before it.
//
// In comes what any part of the screen has to report; out goes the line that is shown now, how long it stays, and the list
// of past lines. A line disappears with the next key or after a few seconds. The package draws nothing, starts no timer and
// makes every text visible before it stores it. A [Model] belongs to the event loop.
package notice
