// Package clienttool gives parley's tools for all agents ([session.ClientTool]) to the builtin agent as its own.
//
// In come the tools of a conversation; out go tools of the kit, judged and shown by the kind that their names have for every agent. It
// runs nothing before a call was allowed, and puts no questions: the agent has its own tool for them.
package clienttool
