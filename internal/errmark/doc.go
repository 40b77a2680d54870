// Package errmark carries the details of a failed request inside the text of its error message.
//
// The Claude Code runtime keeps nothing of a failed request but the message. The proxy appends a marker to it, and the
// mapper of the runtime's output reads the marker and removes it before the user sees the text.
package errmark
