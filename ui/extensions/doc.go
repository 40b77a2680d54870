// Package extensions lists what extends the session's agent: its MCP servers for the command /mcp, its hooks for /hooks, its skills and
// commands for /skills.
//
// In come what shows and switches the servers of the session, and what reports its hooks and skills. Out go the lists, and their effects:
// a server that is started or ended, a skill that is written into the field, and a file that describes one of them opened in the
// user's editor. All are read, and servers switched, in the background.
package extensions
