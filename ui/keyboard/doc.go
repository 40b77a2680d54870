// Package keyboard is the terminal as an input.
//
// In comes the reader of the keys; out goes one that reports its end, which the event loop does not. A file stays a file, so
// that it can be put into raw mode and polled, and its poll descriptors stay out of the children of this program.
package keyboard
