package driver

const managedServers = `C:\Program Files\ClaudeCode\managed-mcp.json`

// managedSettings are the files and directories of settings that an administrator writes.
var managedSettings = []string{`C:\Program Files\ClaudeCode\managed-settings.json`, `C:\Program Files\ClaudeCode\managed-settings.d`}
