// Package changes records what agents did to files, and takes it back.
//
// In come tool calls before and after they run ([Library.Track]) and choices of the user. Each session has a [Log] on disk,
// an append-only file of changes and steps; contents are in the store of package snapshot, shared by all sessions. Out come
// changes by file and by turn, differences, the states of files at a turn, and files put back as they were ([Log.Apply]).
// Every step of the user is in the log before it touches a file, so that a kill leaves each file in one state or the other.
//
// A comparison of the work tree (package worktree) finds the changes of commands. The package draws nothing, asks nothing,
// and knows neither agents nor the screen.
package changes
