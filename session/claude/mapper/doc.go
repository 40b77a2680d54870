// Package mapper turns what the Claude Code runtime prints, and what it keeps in its transcripts, into session events.
//
// In come lines as the runtime prints them with --output-format stream-json, --verbose and --include-partial-messages
// (@anthropic-ai/claude-agent-sdk 0.2.112, which is Claude Code 2.1.112, and the native @anthropic-ai/claude-code 2.1), or
// entries of a stored conversation. Out go [session.Event] values. [Replay] maps entries through the functions that live
// lines go through, so that a session looks the same after a restart. The spellings of models and the texts of refusals are
// here too, because the mapping depends on them.
//
// The mapping is pure: a [Mapper] has no process, no clock and no file, so recorded lines always map to the same events. The
// package may import session, session/claude/transcript and internal/jsonedit, and nothing else of parley.
package mapper
