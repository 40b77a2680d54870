// Package mcptool offers the tools of MCP servers to the builtin agent.
//
// In comes a pool of servers. Out go tools as the agent has them, whose calls are judged as those of their server. As long as the
// definitions of all are short together, a model reads each of them; beyond that it reads one tool that finds the others by
// words, and those that were found.
//
// The package imports session, session/mcp, session/builtin/tool and session/toolview.
package mcptool
