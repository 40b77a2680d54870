// Package patch describes changes of files as git does: what became of each file in the end, as a patch that `git apply`
// takes in either direction, and counted.
//
// In come the changes of a session's log and a function that compares two states. Out come the net change of each file, with
// files that were only renamed found again, and text. The text holds what the files contain, byte for byte. The package
// reads no file, and knows neither terminals nor steps of the user.
package patch
