// Package subagents lists the subagents of a session, for the command /subagents.
//
// In come their names and what they do, visible; out go rows, and the effect that opens one.
package subagents
