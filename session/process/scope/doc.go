// Package scope is what the guards of runtimes share: the place in which the calls of a session are judged.
//
// In come the directories of a session, the user's home, the environment of the runtime's commands, the repository and the rules.
// Out go paths as a runtime reads them, the policy for a call, and what a call may change in files.
//
// The package imports session and session/permission, and knows no runtime: which calls there are, what they ask and what a runtime
// hears of it is the guard's.
package scope
