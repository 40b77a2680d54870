// Package claude holds conversations with the official Claude Code runtime, a child process per session.
//
// In come prompts, answers and settings through the interfaces of package session. Out go [session.Event] values, and the
// runtime's model requests to the session's endpoint. An [Agent] opens conversations, keeps at most one process warm for the
// next one, and starts a process again with the user's settings on the same transcript after a crash, an idle time or a
// change that needs other arguments. The engine alone decides which result ends which turn, because the runtime joins,
// splits and begins turns.
//
// Its folders: mapper turns lines and transcripts into events, archive reads the sessions on disk through transcript, guard
// decides what the runtime may do without asking, driver runs one process, claudetest simulates one. None of them imports
// this package.
//
// The package may import session, session/proc and its own subfolders, and nothing else of parley; it knows neither the
// proxy nor any GitHub token.
package claude
