// Package safefs opens, reads, replaces and locks files that others may change meanwhile, such as those of a repository.
//
// In come paths, or names below an open directory, and bounds. Out come the content of regular files, directories that no link
// leads out of, names and descriptions in a tree, the steps of a walk through it ([Walk]), and locks. A device, a pipe, a socket and
// a directory are refused before they are opened as files, and again afterwards; a link is followed only where the caller says so;
// no call waits for a writer or reads without a bound. A file is replaced as a whole: a reader sees the old or the new content, even
// if a process is killed meanwhile.
//
// The package may not decide what a file means, or which files matter. It imports only the standard library and x/sys.
package safefs
