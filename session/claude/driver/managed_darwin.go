package driver

const managedServers = "/Library/Application Support/ClaudeCode/managed-mcp.json"

// managedSettings are the files and directories of settings that an administrator writes.
var managedSettings = []string{"/Library/Application Support/ClaudeCode/managed-settings.json",
	"/Library/Application Support/ClaudeCode/managed-settings.d", "/Library/Managed Preferences/com.anthropic.claudecode.plist"}
