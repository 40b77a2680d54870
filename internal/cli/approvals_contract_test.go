//go:build contract && linux

package cli

import (
	"testing"

	"parley/session/runtimes/runtimestest"
)

// TestContractApprovals holds the conversation of TestApprovalsOnATerminal with each real runtime.
func TestContractApprovals(t *testing.T) {
	onRuntimes(t, func(t *testing.T, use func(*world)) {
		a := newApprovals(t, "claude")
		use(a.world)
		a.converse()
	})
}

// onRuntimes runs a test with each real runtime; use makes it the one of a world.
func onRuntimes(t *testing.T, test func(t *testing.T, use func(*world))) {
	dir := runtimestest.Installed(t)
	for _, version := range runtimestest.Claudes {
		t.Run(version, func(t *testing.T) {
			test(t, func(w *world) { w.useRuntime(dir, version) })
		})
	}
}
