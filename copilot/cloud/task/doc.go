// Package task describes the work of GitHub's cloud agent: plain values, shared by the client of the service and by the
// agent that shows the work as sessions.
//
// A job starts a [Session], which works on a branch and ends. The pull request with its branch may have several sessions,
// one for each prompt: together they are a task. The package imports nothing of parley and does nothing.
package task
