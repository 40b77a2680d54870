// Package fault carries a panic of a command into the event loop, and reports one that ended the program.
//
// In come commands and recovered values. Out go commands that do not end the program by themselves, and a file with the panic
// and its stack. Nothing of the conversation is written, unless the panic quotes it.
package fault
