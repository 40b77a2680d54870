// Package shell is the builtin agent's tools that run commands.
//
// In come the inputs of calls; out go jobs ([tool.Job]) whose output is bounded and shown as it comes. What a command
// started ends with it.
//
// It may import session, session/proc, session/toolview, session/builtin/tool and rooms below internal.
package shell
