// Package welcome is what the screen shows before anything was said: where the chat is, the sessions to pick up, and three
// things to try.
//
// In come the directory ([Look] reads a few names of it) and the stored sessions. Out go rows, and what the keys alt+1 to
// alt+6 stand for. The root shows the rows in place of an empty conversation and asks [Model.Chosen] what a key means.
//
// The package starts nothing and writes nothing; only Look reads the disk, and never runs a program.
package welcome
