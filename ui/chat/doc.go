// Package chat is what is done with a session and how it reads in words, the same for the screen and for the chat in lines.
//
// In come the values of a session: events, modes, attachments. Out come words and plain values.
//
// The package draws nothing, knows no key and no terminal, and does not import Bubble Tea.
package chat
