// Package guard decides by parley's rules what the Copilot runtime may do without asking the user.
//
// In come the runtime's permission requests, its hook before each tool call, and the rules and the mode of the session. Out go
// judgements: allowed, denied with a reason, or to be asked with what the user sees and the rules to offer. The runtime's own
// approvals are never used: it asks about everything, and parley answers.
//
// A command line that is allowed runs as the policy prints it. The hook before the call puts that text into its arguments and decides
// nothing; the permission request that follows has what will really run, and is allowed only if that is the print of what the model
// wrote. So a runtime that changes no arguments, or a hook that fails, leads to a question and not to a line that nobody judged.
// Each command has a shell of its own; where a runtime goes on in one shell, no command is covered.
//
// The package may import session, session/permission, session/process/scope and session/toolview. It asks no user and
// knows no process; it may read the disk, to resolve paths and to show what a change replaces.
package guard
