// Package extensions lists what extends the session's agent, for the command /mcp: by now its MCP servers.
//
// In come what shows and switches the servers of the session. Out go the list, and its effects: a server that is started or
// ended, and a file that describes one opened in the user's editor. Servers are read and switched in the background.
package extensions
