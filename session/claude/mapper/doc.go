// Package mapper turns the output and the transcripts of the Claude Code runtime into session events.
//
// In come lines as the runtime prints them with --output-format stream-json, --verbose and --include-partial-messages
// (@anthropic-ai/claude-agent-sdk 0.2.112, which is Claude Code 2.1.112, and the native @anthropic-ai/claude-code 2.1),
// or entries of a stored conversation. Out go [session.Event] values. [Replay] maps entries with the same functions as
// live lines, so a session looks the same after a restart.
//
// The runtime prints an answer twice: as stream events, then block by block as assistant messages. The stream makes
// parts and calls; an assistant message commits them. Blocks that were never streamed (a retry without streaming, a
// synthetic message) become new parts. Streamed blocks without a commit are retracted when the next attempt begins, and
// stay if none does.
//
// A [Mapper] distributes each line over values with their own state: the recorder of events, the answer being streamed,
// tool calls, children, asks, background commands, hooks, the model's context. The spellings of models and the texts of
// refusals are here too, because the mapping depends on them.
//
// The mapping is pure: a Mapper has no process, clock or file, so recorded lines always map to the same events. The
// package may import session, session/claude/transcript, session/process/record, internal/errmark, internal/human and
// internal/jsonedit, and nothing else of parley.
package mapper
