// Package driver runs one process of the Claude Code runtime: it starts it, shakes hands, carries lines both ways, and
// ends it.
//
// In come a [Launch], which decides arguments, environment and the initialize request, then messages and control requests
// through [Process]. Out go the lines of the runtime, in order, through [Options.Line] and [Options.Ask], and the answers
// to control requests. What the lines mean is not known here.
//
// The protocol is that of --input-format and --output-format stream-json as spoken by Claude Code 2.1.112
// (@anthropic-ai/claude-agent-sdk 0.2.112) and the native @anthropic-ai/claude-code 2.1.197. Where they differ, the runtime
// is asked and a refusal means one feature less ([ErrUnsupported]).
//
// Tests drive a simulated runtime instead of a real one: parley/session/claude/claudetest has one that runs within the
// test's process and one that is a process of its own.
//
// The package may import session and session/proc and nothing else of parley.
package driver
