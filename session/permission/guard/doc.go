// Package guard knows which files other programs run or obey by themselves, and which new names with a dot are harmless.
//
// In come paths and the directories of a session. Out go why an edit of a path is always asked about, or nothing. The tables hold who
// runs a file, and where documents that.
package guard
