// Package guard decides by parley's own rules what the Claude Code runtime may do without the user being asked.
//
// In come the runtime's requests to let a tool act, its question before it uses a tool, and the rules of the session. Out go
// judgements: allowed by a rule, to be asked, and which rules the user can be offered. The runtime's own rules for commands
// and files are never offered, because parley's are narrower.
//
// The package may import session, session/permission and session/toolview. It asks no user and knows no process; it may look
// at the disk, to see where a path leads.
package guard
