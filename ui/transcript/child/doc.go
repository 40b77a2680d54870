// Package child lays out what a child agent did: its rows, its state in a few words, and its text for a search.
//
// In come a child of a session's transcript and the look. Out go rows and visible words. The package has no state, and no text
// from outside reaches a row without being made visible.
package child
