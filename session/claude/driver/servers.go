package driver

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// serversPattern matches the files that pass MCP servers to a runtime. One older than staleServers was left behind.
const (
	serversPattern = "parley-mcp-*.json"
	staleServers   = time.Hour
)

// writeServers writes the launch's servers into a private file, because other users can read arguments. The runtime reads it
// while it starts; remove deletes it.
func (l *Launch) writeServers() (remove func(), err error) {
	if !l.passesServers() {
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

// passesServers reports whether there are servers to pass to the runtime.
func (l *Launch) passesServers() bool {
	return len(l.Servers) > 0 && string(l.Servers) != "null" && !l.Managed
}

// refusesServers is in the output of a runtime that ends because it does not understand a server.
const refusesServers = "Invalid MCP configuration"

// sweepServers removes the files of killed programs, ignoring errors.
func sweepServers(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, serversPattern))
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > staleServers {
			_ = os.Remove(path)
		}
	}
}

// Managed reports whether the administrator of the machine has set MCP servers. Runtimes then use only these, and refuse to
// start with arguments about servers.
func Managed() bool {
	info, err := os.Stat(managedServers)
	return err == nil && info.Mode().IsRegular()
}

// ManagedSettings reports whether the administrator of the machine has settings for runtimes, or may have some.
func ManagedSettings() bool {
	return slices.ContainsFunc(managedSettings, func(path string) bool {
		_, err := os.Lstat(path)
		return !errors.Is(err, fs.ErrNotExist)
	})
}
