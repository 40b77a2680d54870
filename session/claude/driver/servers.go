package driver

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// serversPattern is how the files are called that hand MCP servers to a runtime, and staleServers after what time one was
// left behind.
const (
	serversPattern = "parley-mcp-*.json"
	staleServers   = time.Hour
)

// writeServers writes the launch's servers into a file of the user's alone, because arguments are there for all to read. The
// runtime reads it while it starts; remove takes it away.
func (l *Launch) writeServers() (remove func(), err error) {
	if !l.handsOver() {
		return func() {}, nil
	}
	dir := cmp.Or(l.TempDir, os.TempDir())
	sweepServers(dir)
	f, err := os.CreateTemp(dir, serversPattern) // mode 0600
	if err != nil {
		return nil, err
	}
	remove = func() { _ = os.Remove(f.Name()) }
	err = json.NewEncoder(f).Encode(map[string]json.RawMessage{"mcpServers": l.Servers})
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		remove()
		return nil, err
	}
	l.serversFile = f.Name()
	return remove, nil
}

// handsOver reports whether there are servers to hand over.
func (l *Launch) handsOver() bool {
	return len(l.Servers) > 0 && string(l.Servers) != "null" && !l.Trusted && !l.Managed
}

// refusesServers is what a runtime prints when it ends because it does not understand a server.
const refusesServers = "Invalid MCP configuration"

// sweepServers removes the files that killed programs have left. It is best effort.
func sweepServers(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, serversPattern))
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > staleServers {
			_ = os.Remove(path)
		}
	}
}

// Managed reports whether this machine's administrator has set MCP servers. Runtimes then use these alone and refuse to start
// with any argument about servers.
func Managed() bool {
	info, err := os.Stat(managedServers)
	return err == nil && info.Mode().IsRegular()
}
