// Package mapper turns what GitHub's cloud agent logs into session events.
//
// In come the pieces of a session's log as it grows, and the states of the session and its pull request. Out go
// [session.Event] values. A log is made of server-sent events with OpenAI's chunks of chat completions: a message comes whole, a
// call once when it begins and once more with its result. Live and stored logs go through the same [Mapper], and the ids of
// parts and calls depend only on the log, so a session looks the same wherever and whenever it is read.
//
// The mapping is pure: no clock, file or network. Lines that are damaged or of another kind are skipped. The package may
// import session, copilot/cloud and small rooms below internal, and nothing else of parley.
package mapper
