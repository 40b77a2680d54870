// Package files finds files and directories by a few letters of their path.
//
// In come a directory and what is written behind an @. Out come the paths below the directory that fit, the best first,
// with the letters that fit. What git ignores is left out: .gitignore files in every directory, those above up to the
// root of the repository, its info/exclude and a file of the user's.
//
// The directory is walked in the background, from the top down, and can be searched meanwhile; Refresh walks it again
// while the old index still answers. The index holds names, not paths, and at most so many of them, so that a repository
// of 200,000 files takes about 10 MB. Nothing is watched and nothing runs when no walk is under way.
//
// Tree is the directory of a session: it finds, lists directories elsewhere, and resolves the paths that a prompt names.
// ReadImage and PastedImage read images that go with a prompt.
//
// The finder reads directories and ignore files only, and follows no links. The package may not write, or know of the screen.
package files
