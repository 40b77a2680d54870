// Package extensions finds what extends parley's own agent: by now MCP servers, in the files that Claude Code, the Copilot CLI,
// VS Code and parley read.
//
// In come the places of these files, a directory, and whether the user trusts it. Out go servers in the order in which their
// names hold: parley's own file, the user's for the directory, the repository's, the user's for all directories. One that a
// nearer file replaces, that its owner has switched off, or that cannot be used stays in the list with the reason. Custom agents bring
// servers of their own.
//
// Nothing is started and nothing is written. What a repository brings is read as data, within the bounds of [trust.ServerFiles],
// and is off until the user has agreed to it. The package imports session and session/trust.
package extensions
