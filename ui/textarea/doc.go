// Package textarea is the field in which the user writes a prompt: several rows, with undo, a kill ring, history and big
// pastes folded into chips.
//
// Keys come in as method calls, along with the text that was typed or pasted. Out go the rows to draw with the cell of
// the cursor, and the text to send. A document holds the text as it was entered; only what is drawn has control
// characters replaced, so that pasted text cannot drive the terminal.
//
// A key costs what the rows on the screen cost, however long the text is: layout breaks a line into rows when it is
// looked at, and caches them. An unchanged composer returns the same view.
//
// Vim adds vim's keys. Completion offers commands, arguments and files for the word at the cursor, and Search finds past
// prompts; their callers supply both.
//
// The package may not know keys (except for the names that Vim handles), sessions, the event loop or the terminal.
package textarea
