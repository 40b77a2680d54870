// Package driver runs the Copilot runtime: one child process for all sessions of an agent.
//
// In come the program, an environment and a source of tokens. Out goes a [Client] that calls methods of the runtime, and
// through its [dispatch.Router] all that the runtime reports and asks. A [Host] starts the process when a session needs it,
// starts another one after a crash, and ends it when no session has needed it for a while.
//
// The token goes with each call that opens a session. It is in no environment, file or argument, so that no command of the
// runtime reads it. The package knows no session and maps no event.
package driver
