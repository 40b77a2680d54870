// Package claude holds conversations with the official Claude Code runtime, a child process per session.
//
// In come prompts, answers and settings by way of the interfaces of package session; out go [session.Event] values, and
// model requests of the runtime to the session's endpoint. An [Agent] opens conversations, keeps at most one runtime warm
// for the next one, and starts a runtime anew, with what the user chose and on the same transcript, when it has died, was
// given back after an idle time, or must be started otherwise. Which of the runtime's results ends which turn is decided
// in one place, because it joins, splits and begins turns as it likes.
//
// What the runtime prints is turned into events by a [Mapper]. In come lines, as it prints them with --output-format
// stream-json, --verbose and --include-partial-messages (@anthropic-ai/claude-agent-sdk 0.2.112, which is Claude Code
// 2.1.112, and the native @anthropic-ai/claude-code 2.1); out go [session.Event] values. The mapping is pure: a mapper
// holds state but no process, no clock and no file, so recorded lines replay to the same events for ever.
//
// What the runtime keeps on disk, whoever held the session, is listed, replayed, copied and deleted by an [Archive]: it
// reads through the transcript package and maps through the functions that live lines are mapped with, so that a session
// looks the same after a restart.
//
// The package may import session, session/proc and its own subfolders, and nothing else of parley; it knows neither the
// proxy nor any GitHub token.
package claude
