// Package keymap is the one table of keys and slash commands: their names, what they do, the user's own bindings and the
// conflicts among them.
//
// In come the user's bindings. Out come a [Map], which looks up what a key does, and the rows of the help and of the
// documentation. Components ask for an action, never for a key. The package draws nothing and runs nothing.
package keymap
