// Package sidequestion shows a question about the conversation and its answer on the whole screen, for the command /btw.
//
// In come the question, a function that asks it, and keys; out go rows. The panel forgets everything when it is closed: neither
// question nor answer is part of the conversation.
package sidequestion
