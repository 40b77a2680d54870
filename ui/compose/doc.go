// Package compose is the field in which the user writes: several rows, with undo, a kill ring, history and big
// pastes folded into chips.
//
// In come the user's wishes as method calls, one per key, and text that was typed or pasted. Out come the rows to show
// with the place of the cursor, and the text to send. The text is kept as it was entered; only what is shown has control
// characters and other things that hide replaced by something visible, so that pasted text cannot drive the terminal.
//
// A key costs what the rows on the screen cost, however long the text is: lines are laid out when they are looked at, and
// remembered. An unchanged composer returns the view it returned before.
//
// Vim gives the field vim's keys. Completion offers commands, arguments and files for what is written, Search looks
// through the prompts of the past; both know nothing of where these come from.
//
// The package may not know of keys (but the names that Vim is given), sessions, the event loop or the terminal.
package compose
