//go:build contract && linux

package cli

import (
	"testing"

	"parley/session/runtimes/runtimestest"
)

// TestContractFileChanges holds the conversation of TestFileChangesOnATerminal with each real runtime.
func TestContractFileChanges(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, version := range runtimestest.Claudes {
		t.Run(version, func(t *testing.T) {
			c := newChanging(t, "claude")
			c.useRuntime(dir, version)
			c.converse()
		})
	}
}
