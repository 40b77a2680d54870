// Package dirs adds directories to a session while it lives, lists them and takes them back, for the command /add-dir.
//
// In come the session with its directories, and a path as it is written. Out go a list, and effects on the session. The disk is read
// in the background; nothing of a directory is loaded.
package dirs
