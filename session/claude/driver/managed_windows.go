package driver

const managedServers = `C:\Program Files\ClaudeCode\managed-mcp.json`
