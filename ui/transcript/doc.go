// Package transcript is the conversation on the screen: items made from a session's transcript, their layout, folding,
// finding, copying by keyboard and mouse, and child agents.
//
// A session's events, keys that were looked up in the key table, the mouse and the size come in. Out go rows, the cursor, and
// an [Action] for the root. A feed derives the items from the transcript; each kind of item is one file with its layout, its
// trace, its text for the search, and when it is finished. A window is what is on the screen; the search, the copy mode and
// the mouse work on it. [Scrollback] is the same conversation for an inline screen. How prompts, calls
// and child agents are drawn has rooms of its own below this one.
//
// The package may import ui/style, ui/keymap, ui/chat, ui/md, ui/scroll and its own folder. Its commands are timers only. It blocks nowhere,
// and no text from outside reaches a row without being made visible.
package transcript
