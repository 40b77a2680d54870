// Package nearest finds what a user probably meant by a word that names nothing: a key, a command, a flag.
//
// It is pure, and knows only the words that it gets.
package nearest
