// Package claude holds conversations with the official Claude Code runtime, a child process per session.
//
// In come prompts, answers and settings by way of the interfaces of package session; out go [session.Event] values, and
// model requests of the runtime to the session's endpoint. An [Agent] opens conversations, keeps at most one runtime warm
// for the next one, and starts a runtime again, with what the user chose and on the same transcript, when it has died, was
// released after an idle time, or needs other arguments. Which of the runtime's results ends which turn is decided
// in one place, because it joins, splits and begins turns as it likes.
//
// Its folders: mapper turns lines and transcripts into events, archive reads the sessions on disk through transcript, guard
// decides what the runtime may do unasked, driver runs one process, claudetest simulates one. None of them imports this
// package.
//
// The package may import session, session/proc and its own subfolders, and nothing else of parley; it knows neither the
// proxy nor any GitHub token.
package claude
