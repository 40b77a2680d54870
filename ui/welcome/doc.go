// Package welcome is the first page: what this is and where, above the field; the sessions to go on with and three things to try,
// below it.
//
// In come the directory ([Look] reads a few names of it), the stored sessions, keys of an empty field and clicks. Out go rows and
// what was chosen. What is typed is never the page's: it goes into the field.
//
// The package starts nothing and writes nothing; only Look reads the disk, and never runs a program.
package welcome
