// Package regular reads files that parley did not write, such as those of a repository or a directory that the user
// opened.
//
// In come a path, or a name below an [os.Root], and a bound. Out comes the content of a regular file, or an error that
// names what is there instead. A device, a named pipe, a socket and a directory are refused before they are opened, and
// again afterwards, because they may take the file's place in between. No call waits for a writer or reads without a
// bound, and reading ends with its context.
//
// The package imports only the standard library. It may not write, and it may not decide what a file means.
package regular
