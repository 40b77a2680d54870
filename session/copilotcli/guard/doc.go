// Package guard decides by parley's rules what the Copilot runtime may do without asking the user.
//
// In come the runtime's permission requests, its hook before each tool call, and the rules and the mode of the session. Out go
// judgements: allowed, denied with a reason, or to be asked with what the user sees and the rules to offer. The runtime's own
// approvals are never used: it asks about everything, and parley answers.
//
// The package may import session, session/permission and session/toolview. It asks no user and knows no process; it may read
// the disk, to resolve paths and to show what a change replaces.
package guard
