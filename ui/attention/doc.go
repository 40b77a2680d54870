// Package attention reports to a terminal what goes on while the user looks elsewhere: notifications, the bell, progress in
// the task bar, the title of the window, and what the terminal can be expected to understand.
//
// In come the environment, what goes on in the session that is shown ([Scene]), and short texts. Out come sequences, written
// by the owner of the terminal. A [Watch] decides what is news. Everything but [Desktop] is pure. What a [Terminal] can do is
// guessed from the environment only; a terminal that answers questions knows better.
//
// Texts may come from anywhere: control characters are removed, so that a text cannot end its sequence.
package attention
