// Package limits wires limits of credits: where they are set, what was spent, and which sessions of a run have one of their own.
//
// In come the source of the configuration, the stored and the deleted sessions, and the value of --max-credits. Out come a keeper of
// limits, and sessions that get theirs when they are opened.
package limits
