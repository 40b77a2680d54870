//go:build !darwin && !windows

package driver

const managedServers = "/etc/claude-code/managed-mcp.json"
