// Package gitdir reads what a repository's files say without running git, which would cost more than a first frame may and
// whose configuration may start other programs.
//
// In come directories. Out come the repository around one, the branch that is checked out, and how many files have changed.
// Only regular files of bounded size are read, and nothing is written.
package gitdir
