// Package changes prints what agents did to files, and what a step of the user would do and did to them.
//
// In come the changes of a session's log and plans over them. Out come patches as git writes them, statistics, tables of
// files and JSON, on an [output.Stream]. The package reads what was kept of files and changes nothing: it neither chooses
// the session nor asks.
package changes
