// Package tool is what the tools of the builtin agent share: what a tool is ([Tool], [Job], [Outcome]), where its calls work
// ([Workspace]), and the places that they name ([Place]).
//
// In comes the input of a call; out goes a job, which the agent runs once the policy or the user allows it. Every path is
// resolved before the decision, and no link is followed afterwards. The texts of errors are written for the model: what
// was wrong, and what to do next.
//
// It may import session, session/permission, session/proc, session/toolview and rooms below internal.
package tool
