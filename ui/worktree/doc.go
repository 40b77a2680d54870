// Package worktree begins sessions on a branch and in a folder of their own, and lists and removes these, for the command /worktree.
//
// In come the working trees of the repository. Out go lists and the effects that begin a session in a tree. Git runs in the
// background.
package worktree
