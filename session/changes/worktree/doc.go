// Package worktree finds out which files a command changed, by comparing the work tree before and after it.
//
// In come the directories of a session. Out come the changed files with their states before and after, and why some may be
// missing. Where git is, content of files that are as the index says comes from git's objects, and all other files that git
// does not ignore are kept first; elsewhere files are kept up to a bound. The package runs no program, changes nothing
// outside the store of images, and knows neither sessions nor calls.
package worktree
