// Package transcript is the conversation on the screen: items made from a session's transcript, their layout, folding,
// finding, copying by keyboard and mouse, and looking into child agents.
//
// In come a session's events, keys that have been looked up in the key table, the mouse and the size. Out come rows, the
// cursor, and an [Action] for what only the root can do. A feed derives the items from the transcript; each kind of item is
// one file with its layout, what its rows stand for, its text for the search, and when it is finished. [Scrollback] is the
// same conversation for an inline screen.
//
// The package may import ui/style, ui/keymap, ui/chat, ui/md and ui/scroll. It starts no command but timers, blocks
// nowhere, and lets no text from outside reach a row that was not made visible.
package transcript
