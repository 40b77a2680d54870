// Package tool lays out tool calls: the row of one, its input, output and changes of files below it, and the row that stands for
// several that only look.
//
// In come calls of a session's transcript with what was asked about them, and the look. Out go rows, their trace, and the text for the
// search. A [Call] and a [Group] keep what they have derived; everything else depends on what comes in. No text from outside reaches a
// row without being made visible.
package tool
