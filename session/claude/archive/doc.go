// Package archive reads what the Claude Code runtime keeps of its sessions on disk, also of those that parley did not hold.
//
// In come the runtime's configuration directory and session ids. Out go descriptions, prompts, the events of stored sessions
// and of their ends, and copies. Files are found and parsed by session/claude/transcript and mapped by session/claude/mapper.
//
// The package starts no process and works where there is no runtime. It changes nothing but by Fork and Remove. It may import
// session, session/claude/mapper and session/claude/transcript, and nothing else of parley.
package archive
