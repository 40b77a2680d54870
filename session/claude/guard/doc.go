// Package guard decides by parley's rules what the Claude Code runtime may do without asking the user.
//
// In come the runtime's permission requests, its hook before each tool call, and the rules of the session. Out go judgements:
// allowed by a rule or to be asked, with the rules to offer. The runtime's rules for commands and files are never offered,
// because parley's are narrower.
//
// The package may import session, session/permission and session/toolview. It asks no user and knows no process; it may read
// the disk, to resolve paths.
package guard
