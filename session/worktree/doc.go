// Package worktree gives sessions a branch and a folder of their own: linked working trees of git.
//
// In come directories, names and git. Out go working trees that are made, found again, listed with what they have that the
// repository has not, and removed. They stand below one folder of parley's, never inside the repository, and their branches are
// called parley/NAME. Uncommitted changes come along on request, copied or moved: only a move changes the directory they come from. Hooks that git
// would run in a new tree do not run.
package worktree
