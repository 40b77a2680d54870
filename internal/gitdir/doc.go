// Package gitdir reads what a repository's files say without running git, which would cost more than a first frame may.
//
// In come directories. Out comes the branch that is checked out there. Only small regular files are read, and nothing is
// written.
package gitdir
