// Package output prints what commands have to say: results and messages, tables, pairs, JSON.
//
// In come the two streams of a process and texts from anywhere. Out come visible lines: within the width and the colors of a
// terminal, and in plain columns or as they are in a pipe. No text drives a terminal through it. The package knows no
// command, and decides neither what is printed nor what is a mistake.
package output
