// Package lazyregexp has regular expressions that are compiled when they are first used, so that the many that a run never needs
// cost nothing at its start.
//
// In come expressions as texts, out come the methods of [regexp.Regexp]. A text that is no expression panics at its first use, as
// [regexp.MustCompile] does at the start; in the program of a test it panics at the start, so that every test of its package finds
// it. The package may not do anything else.
package lazyregexp
