package runtimestest

import (
	"slices"
	"testing"
)

// Versions of the Claude Code runtime that contract tests drive and that stay the same: the oldest supported, a script for
// node, and the first tested one that is native.
const (
	ClaudeScript = "2.1.112"
	ClaudeNative = "2.1.197"
)

// ClaudeNewest is the newest version that was recorded. `make record` moves it.
var ClaudeNewest = newestOf("claude")

// Claudes are the versions that contract tests drive, oldest first.
var Claudes = driven(ClaudeScript, ClaudeNative, ClaudeNewest)

// Installed returns the folder with all versions of the Claude Code runtime: the one that PARLEY_CONTRACT_RUNTIMES names,
// else one of the test's own, into which they are installed.
func Installed(t testing.TB) string {
	t.Helper()
	return installed(t, "claude")
}

// Claude returns the command line that starts an installed version from the folder.
func Claude(t testing.TB, dir, version string) []string {
	t.Helper()
	return slices.Clone(find(t, dir, "claude", version).Argv)
}
