// Package gitignore decides which paths git would ignore.
//
// A walk of a directory maintains a [Stack] of the ignore files that apply: [Above] reads those above the walk's root,
// and the walk adds the file of each directory it enters. Matching follows git, including negation, and is bounded: a
// pattern that would take too long matches nothing. Only [Above] reads files, and only regular ones.
package gitignore
