//go:build contract && linux

package cli

import (
	"testing"
)

// TestContractFileChanges holds the conversation of TestFileChangesOnATerminal with each real runtime.
func TestContractFileChanges(t *testing.T) {
	onRuntimes(t, func(t *testing.T, use func(*world)) {
		c := newChanging(t, "claude")
		use(c.world)
		c.converse()
	})
}
