// Package claude understands the Claude Code runtime: it turns what the runtime writes to its standard output into
// session events.
//
// In come lines, as the runtime prints them with --output-format stream-json, --verbose and --include-partial-messages
// (@anthropic-ai/claude-agent-sdk 0.2.112, which is Claude Code 2.1.112, and the native @anthropic-ai/claude-code 2.1);
// out go [session.Event] values. The mapping is pure: a [Mapper] holds state but no process, no clock and no file, so
// recorded lines replay to the same events for ever.
//
// What the runtime keeps on disk, whoever held the session, is listed, replayed, copied and deleted by an [Archive]: it
// reads through the transcript package and maps through the functions that live lines are mapped with, so that a session
// looks the same after a restart.
//
// The package may import session and nothing else of parley.
package claude
