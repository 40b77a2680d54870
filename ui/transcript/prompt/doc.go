// Package prompt lays out parts of a prompt in the conversation: the beginning of a long one, and the row that says when it was
// sent and what its turn took.
//
// In come a text or a turn, and the look. Out go strings. The package has no state and makes names visible.
package prompt
