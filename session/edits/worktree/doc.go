// Package worktree finds out which files a command changed, by comparing the work tree before and after it.
//
// In come the directories of a session. Out come the changed files with their states before and after, and why some may be
// missing. Where git is, content of files that are as the index says comes from git's objects, and all other files that git
// does not ignore are kept first; elsewhere files are kept up to a bound, the smallest first. The package runs no program,
// changes nothing outside the store of images, and knows neither sessions nor calls.
//
// A look walks each tree once and takes the size, times, inode and mode of every file. What changed within the last step of the
// file system's clock is not trusted to differ visibly from a later change, so its content is compared. Names of directories
// are read again only where the file system says that they changed. Not watched are ignored files, other file systems that are
// mounted in the tree, and what is inside the directories of the home directory when that is the session's directory.
package worktree
