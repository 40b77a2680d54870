//go:build contract && unix

package copilot

import (
	"context"
	"testing"

	"parley/session/agenttest/scenario"
	"parley/session/permission"
	"parley/session/runtimes/runtimestest"
)

// TestContractInForceAfterASummary looks at what real runtimes send after a summary.
func TestContractInForceAfterASummary(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
			scenario.InForceAfterASummary(w.stage(), scenario.Force{Plan: "[[PLAN]]", Run: "run ", Mode: w.configure,
				Trust: func(rules permission.Kept) {
					w.agent.o.Trusted = func(string) bool { return true }
					w.agent.o.Rules = func(string) permission.Kept { return rules }
				}})
		})
	}
}

// TestContractLiving lets definitions come and go while real runtimes have a session.
func TestContractLiving(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
			scenario.Living(w.stage(), "copilot", func(f func(ctx context.Context, dir string) string) { w.agent.o.Extends = f }, func() int {
				w.conv.Mu.Lock()
				defer w.conv.Mu.Unlock()
				return int(w.conv.Gen)
			})
		})
	}
}
