package runtimestest

import (
	"testing"

	"parley/session/runtimes"
)

// Versions of the Copilot runtime that contract tests drive.
var (
	// CopilotNative is the oldest supported version, a program without node.
	CopilotNative = runtimes.Tested("copilot")[0]
	// CopilotHeadless is the newest version of the Copilot CLI that was recorded, which contains node. `make record` moves it.
	CopilotHeadless = newestOf("copilot")
)

// Copilots are the versions that contract tests drive, oldest first.
var Copilots = driven(runtimes.Tested("copilot")...)

// InstalledCopilots returns the folder with the driven versions of the Copilot runtime: the one that PARLEY_CONTRACT_RUNTIMES
// names, else one of the test's own, into which they are installed.
func InstalledCopilots(t testing.TB) string {
	t.Helper()
	return installed(t, "copilot")
}

// Copilot returns the command line that starts an installed version from the folder. That of the CLI starts the CLI itself,
// and never the faster program that it unpacks.
func Copilot(t testing.TB, dir, version string) []string {
	t.Helper()
	return []string{find(t, dir, "copilot", version).Path}
}
