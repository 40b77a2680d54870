//go:build !darwin && !windows

package driver

const managedServers = "/etc/claude-code/managed-mcp.json"

// managedSettings are the files and directories of settings that an administrator writes.
var managedSettings = []string{"/etc/claude-code/managed-settings.json", "/etc/claude-code/managed-settings.d"}
