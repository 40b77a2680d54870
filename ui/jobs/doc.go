// Package jobs is what runs beside the agent: a command of the user's shell, whose output is attached to the next prompt, and the
// installation of a runtime.
//
// In come command lines and the results of its commands as a [Msg]. Out go attachments for the field, notices, a list that asks
// before something is installed, and what the status line shows of both. The package draws nothing, and runs nothing in the event
// loop.
package jobs
