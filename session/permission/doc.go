// Package permission decides what the rules of a session say about a tool call.
//
// In come a mode, rules, a working directory and a call that asks. Out comes a [Ruling]: allow, deny or ask, and for an allowed
// command line the text to run. A command line or a path that a rule does not surely cover is asked about. The package reads
// a repository's git state and has git list its configuration, since that decides what git would run; it starts nothing
// else, changes nothing, and shows nothing.
package permission
