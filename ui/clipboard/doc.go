// Package clipboard puts text on the clipboard of the person at the terminal, and reads images from it.
//
// In come text, the environment and a way to run programs. Out come a sequence for the terminal (OSC 52), for its owner to
// write, and a Result with what was done and whether it is known to have worked: a program that ended well has, a sequence
// is answered by no terminal.
//
// Where the person sits matters: through ssh a program would fill the clipboard of the far machine, so only the sequence
// is used. Inside tmux and screen it is wrapped so that it gets through to the terminal outside.
//
// The package may not write to the terminal, keep what was copied, or import any other room.
package clipboard
