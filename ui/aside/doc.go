// Package aside shows a question beside the conversation and its answer on the whole screen.
//
// In come the question, a function that asks it, and keys; out go rows, the messages that bring the answer, and whether the user
// closed the panel. The panel forgets everything when it is closed: neither question nor answer is part of the conversation.
//
// It may import session, ui/style and ui/md, and Bubble Tea for its messages.
package aside
