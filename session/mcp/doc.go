// Package mcp connects parley's own agent to MCP servers: programs and services that bring tools.
//
// In come servers as session/extensions finds them, and calls of their tools. Out go the tools of all servers that answer, what
// became of each call, the state of each server, and the questions that a server puts to the user. A [Pool] belongs to one
// conversation: it starts its servers with the first turn and ends them, with all that they started, when it is closed.
//
// A server is not trusted. Its names and descriptions are bounded, its schemas are made acceptable or dropped, its answers are
// cut at a readable length, and a call that says nothing for a while is given up. Its annotations decide nothing: every call is
// judged by the permission engine like any other tool.
//
// The protocol is that of github.com/modelcontextprotocol/go-sdk. Programs are greeted with revision 2025-11-25, because some end
// when they are asked for a newer one; services over HTTP are asked for the newest first. The package imports session,
// session/extensions and session/proc, and knows no agent.
package mcp
