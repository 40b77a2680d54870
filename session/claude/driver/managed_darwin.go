package driver

const managedServers = "/Library/Application Support/ClaudeCode/managed-mcp.json"
