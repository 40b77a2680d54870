// Package driver runs one process of the Claude Code runtime: it starts it, initializes it, passes lines both ways and
// ends it.
//
// In come a [Launch], which decides arguments, environment and the initialize request, then messages and control
// requests through [Process]. Out go the runtime's lines, in order, through [Options.Line] and [Options.Ask], and the
// answers to control requests. The package does not interpret the lines.
//
// The errors of [Start] are of kind [session.KindCancelled] if its context was cancelled, [session.KindNotFound] if
// there is no such conversation to resume, [session.KindInvalid] for an impossible launch, otherwise
// [session.KindRuntime] with the last lines that the runtime printed.
//
// The protocol is that of --input-format and --output-format stream-json of Claude Code 2.1.112
// (@anthropic-ai/claude-agent-sdk 0.2.112) and the native @anthropic-ai/claude-code 2.1.197. Where they differ, the
// runtime is asked, and a refusal means that a feature is missing ([ErrUnsupported]).
//
// Tests use a simulated runtime: parley/session/claude/claudetest has one within the test's process and one as a
// process.
//
// The package may import session, session/proc, session/proc/pipe and internal/jsonedit, and nothing else of parley.
package driver
