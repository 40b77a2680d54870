// Package shell has the language of command lines that may run without a question, reads it and prints it.
//
// In come a dialect and a command line. Out comes a [Line], a structure of our own that is small enough to be printed back, or
// why the line is not in the language; [Print] returns a text that bash, dash, zsh and BusyBox read as that very structure. So
// what runs is what was judged: where shells and the parser disagree, the print differs, and nothing slips past the judge.
// Two things are the shell's own: one in which a word of the language (if, do, {) is an alias, which dash and ash do not heed, and
// one at a terminal that expands the history. Of time dash and ash run the program.
//
// The package judges nothing, looks nothing up and imports no other room; it is the only one that imports the parser.
package shell
