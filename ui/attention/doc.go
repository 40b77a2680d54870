// Package attention says to a terminal what is going on while nobody looks: notifications, the bell, progress in the task
// bar, and what the terminal at hand can be expected to understand.
//
// In come the environment and short texts. Out come sequences, to be written by whoever owns the terminal, and a Terminal
// that says what was guessed. Everything but [Desktop] is pure. A guess is made from the environment only; a terminal that answers
// questions knows better.
//
// Texts may come from anywhere: control characters are taken out, so that no sequence can be ended from within.
package attention
