// Package archive reads the sessions that the Claude Code runtime stores on disk, including those that parley did not hold.
//
// In come the runtime's configuration directory and session ids. Out go descriptions, prompts, the events of stored sessions
// and of their ends, and copies. session/claude/transcript finds and parses the files, session/claude/mapper maps them.
//
// The package starts no process and works without a runtime. Only Fork and Remove change files. It may import session,
// session/claude/mapper, session/claude/transcript and internal/human, and nothing else of parley.
package archive
