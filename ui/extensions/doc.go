// Package extensions lists what extends the session's agent: its MCP servers for the command /mcp, its hooks for /hooks.
//
// In come what shows and switches the servers of the session, and what reports its hooks. Out go the lists, and their effects: a server
// that is started or ended, and a file that describes one or a hook opened in the user's editor. Servers and hooks are read, and
// servers switched, in the background.
package extensions
