// Package tabs keeps the sessions that work on while another one is shown, for the command /tabs and the row that names them.
//
// In come sessions that are left while they do something, with their transcripts, and the events they report since. Out go the row
// with what each does, what is news of it, and the session to show again. A session that does nothing is no tab: it is closed as
// it is left, and /resume opens it.
package tabs
