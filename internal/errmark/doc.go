// Package errmark puts the details of a failed request into the text of its error message.
//
// The Claude Code runtime passes on nothing of a failed request but its message. The proxy appends a marker to the
// message; the mapper of the runtime's output reads the marker and removes it before the user sees the text.
package errmark
