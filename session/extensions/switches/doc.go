// Package switches changes whether an extension is used where its owner keeps that: the settings of Claude Code, those of the Copilot
// CLI, and parley's own file of MCP servers.
//
// In come the places of these files, an item of the list, a scope and whether it is to be on. Out goes the file that was changed, or
// what the user can do instead. Only the value itself changes: other settings, their order and comments stay byte by byte.
//
// Nothing is started. A file that cannot be read as what it should be, or that a link replaces, is left alone. The package imports
// session and session/extensions/inventory.
package switches
