// Package regular reads files that parley did not write: files of a repository, of a directory that the user opened.
//
// In come a path, or a name below an [os.Root], and a bound. Out comes the content of a regular file, or an error that
// says what else is there. A device, a named pipe, a socket and a directory are refused before they are opened, and again
// after, for they may be put in the file's place meanwhile. No call waits for a writer, none reads without a bound, and a
// read ends with its context.
//
// The package imports the standard library alone. It may not write, and it may not decide what a file means.
package regular
