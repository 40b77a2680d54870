// Package prompt lays out a prompt in the conversation: its text, folded where it is long, its attachments, and the row that says when
// it was sent and what its turn took.
//
// In come a prompt with its turn, and the look. Out go rows, their trace, and the text for the search. The package has no state and
// makes text from outside visible.
package prompt
