// Package clienttool gives parley's tools for all agents ([session.ClientTool]) to the builtin agent as its own.
//
// In come the tools of a conversation; out go tools of the kit, judged and shown by the kind that their names have for every agent. It
// runs nothing before a call was allowed. What a tool asks is a question of its call.
package clienttool
