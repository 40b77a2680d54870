// Package gitignore decides which paths git would ignore.
//
// A walk of a directory keeps a [Stack] of the ignore files that apply: [Above] reads those above the walk's root, and the
// walk adds the file of each directory it enters. Matching follows git, including negation, and is bounded: a pattern that
// would take too long matches nothing. The package reads files only in [Above], and none that is not a regular file.
package gitignore
