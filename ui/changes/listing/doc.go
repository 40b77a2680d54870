// Package listing has the changes of a session by turn and by file, and the words for what became of them. It is the same for
// the panel and for the chat in lines.
//
// In come the changes of a log, the plans and outcomes of its steps, and the names of turns. Out come rows as plain data, the
// states whose difference a row shows, and sentences. The package is pure: it draws nothing and calls no log.
package listing
