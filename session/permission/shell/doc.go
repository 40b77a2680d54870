// Package shell reads command lines as the shells do that will run them.
//
// In come a dialect and a command line. Out comes a [Line]: the steps that the shell would take, each a call of a program,
// a redirection, an assignment, or something odd that nothing can be known of. The package fails closed: a line that any
// doubt is about is not read, or gets an odd step. It judges nothing, looks nothing up and imports no other room; it is the
// only one that imports the parser.
package shell
