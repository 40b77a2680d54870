// Package features is the table of what a user does by a slash command or its key, for the screen and for the chat in lines.
//
// In come the state of the chat, as plain values and functions that answer at once, and what is written after a command. Out go
// effects, which each face carries out. Each feature is a room of its own; this one only says which command is which.
//
// The package draws nothing, changes nothing and holds nothing.
package features
