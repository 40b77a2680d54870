// Package child lays out a child agent in the conversation: the row that stands for it, its state in a few words, what it did, and its
// text for a search.
//
// In come a child of a session's transcript and the look. Out go rows and visible words. The package has no state, and no text
// from outside reaches a row without being made visible.
package child
