// Package claude holds conversations with the official Claude Code runtime, a child process per session.
//
// In come prompts, answers and settings through the interfaces of package session. Out go [session.Event] values, and
// the runtime's model requests to the session's endpoint. An [Agent] opens conversations and keeps at most one process
// warm for the next one. After a crash, an idle time or a change that needs other arguments, the next prompt starts
// another process with the user's settings, which resumes the session.
//
// The engine alone decides which result ends a turn. The runtime takes a prompt into the running turn, or makes a turn
// of one or several prompts, and may begin a turn by itself when background work ends. It echoes a prompt when it takes
// it up, before the result. So a result ends the running turn if that turn's prompt was taken up, and otherwise belongs
// to something else; an idle runtime ends the turn in any case. A prompt that a hook blocked is never taken up: 2.1.112
// and 2.1.197 print only a result for which no model was asked.
//
// Its folders: mapper turns lines and transcripts into events, archive reads the sessions on disk through transcript,
// guard decides what the runtime may do without asking, driver runs one process, claudetest simulates one. None of them
// imports this package.
//
// The package may import session, session/proc and its own subfolders, and nothing else of parley; it knows neither the
// proxy nor any GitHub token.
package claude
