// Package builtin is parley's own agent: a loop on the official Anthropic SDK with a handful of tools, which works on a
// machine where nothing else is installed.
//
// In come prompts and answers through [session.Conversation], and the stream of the endpoint it was given. Out go
// [session.Event] values through [session.OpenOptions.Emit]. Between them, [mapper] turns the stream into events, and
// history.go turns a transcript back into the messages of a request. Both are pure. There is no other memory of the
// conversation: every request is made from the transcript that the events so far add up to, so that a resumed session
// asks exactly what an uninterrupted one would have asked.
//
// The files AGENTS.md and CLAUDE.md count as instructions of the user: the one in parley's configuration directory, then
// those from the root of the git repository (or, outside of one, from below the home directory) down to the working
// directory. Where a directory has both, AGENTS.md is taken first and an identical CLAUDE.md left out. Together they are
// cut at 64 KiB. One that is a link is left out if it leads out of the repository, and the user is told.
//
// Every file is read as a regular file, within a bound and under a context. A tool that touches a path resolves its links
// before the policy rules on it and follows none afterwards ([place]), so that what was allowed is what is opened.
//
// This package never sees a GitHub token, opens no connection but to its endpoint, and changes no file and runs no command
// that the session's [session.Policy] does not allow or the user has not. It may import session, session/proc and
// internal/regular and nothing else of parley.
package builtin
