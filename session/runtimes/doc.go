// Package runtimes finds, installs and removes the runtimes of agents that run as a program of their own.
//
// In come the name of an agent ("claude"), what the configuration says of it, the environment, and the cache directory. Out
// go the command line that starts a runtime with its version and where it was found ([Runtimes.Find]), installed versions
// ([Runtimes.List]), and notices about runtimes that were passed over or are newer than any parley was tested with. What an
// agent's runtime looks like is one entry of a table in table.go: packages, hashes, versions, names of programs.
//
// Finding starts no process and sends nothing: it reads a few small files. A program whose files do not tell its version is
// asked by [Runtimes.Probe], once, and the answer is remembered until the program changes.
//
// Installing goes through the user's own npm, for its registry, its login and its certificates. The archive is checked
// against a SHA-512 hash before anything of it is unpacked: parley's own for the versions it was tested with, npm's for
// others, which it says. Nothing of a package is run while it is installed. A version is a directory of its own that
// appears whole or not at all; any number of processes may install the same one at once, and one of them does the work.
//
// The package imports only session and session/proc, through which everything is started. It may not choose which agent a session gets, write to a terminal, start a runtime for
// anything but its version, or put into an error what a registry's address may hold.
package runtimes
