// Package pipe is what the drivers of runtimes share: how a runtime that reads and writes pipes is started, what it prints on its
// standard error, and how it ends.
//
// In come a command, a way to start it, an environment and the secrets that a runtime was given. Out go the started [Process], its
// end within the limits that a driver sets, and texts that can be shown. What is written into the pipes is the driver's.
//
// The package imports session and session/proc, and knows no runtime.
package pipe
