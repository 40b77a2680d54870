// Package folder opens directories whose paths must not contain a link, such as those in which a decision allowed a change.
//
// In comes a path whose links were resolved before. Out comes an [os.Root], which no link leads out of, or [ErrLink] if a link
// has appeared on the path since. The names of temporary files in such directories are made and recognized here.
//
// The package may not decide what is written, and it reads no file.
package folder
