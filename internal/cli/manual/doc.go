// Package manual describes the commands of parley: the help of each, laid out for a terminal, and the manual page in roff.
//
// In come the tree of commands and an output. Out come texts: the same for the same version, on every day. The package runs
// no command.
package manual
