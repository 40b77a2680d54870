// Package gitdir reads a repository's files without running git, which would take too long before a first frame and
// whose configuration may start other programs.
//
// In come directories. Out come the repository around one, the branch that is checked out, the number of changed
// files, and the repository at a host that its remotes name. The package reads only regular files of bounded size, and writes nothing.
package gitdir
