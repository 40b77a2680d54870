//go:build contract && linux

package cli

import (
	"testing"

	"parley/session/runtimes/runtimestest"
)

// TestContractApprovals holds the conversation of TestApprovalsOnATerminal with each real runtime.
func TestContractApprovals(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, version := range runtimestest.Claudes {
		t.Run(version, func(t *testing.T) {
			a := newApprovals(t, "claude")
			a.useRuntime(dir, version)
			a.converse()
		})
	}
}
