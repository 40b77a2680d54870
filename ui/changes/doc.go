// Package changes is the panel of what agents did to files: by file and by turn, with the difference beside or below.
//
// In come keys, clicks and the changes of a session's log. Out come rows, and actions for the root: accept, undo, redo, open
// a file in the editor, close. The panel keeps its own selection, folding and scrolling. It reads no file, and does not
// touch the log: the root runs what takes time elsewhere and hands back the result.
package changes
