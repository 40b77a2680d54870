package runtimestest

import (
	"os"
	"path/filepath"
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

// Copilots are all of them, oldest first.
var Copilots = runtimes.Tested("copilot")

// InstalledCopilots returns the folder with all versions of the Copilot runtime: the one that PARLEY_CONTRACT_RUNTIMES names,
// else one of the test's own, into which they are installed.
func InstalledCopilots(t testing.TB) string {
	t.Helper()
	return installed(t, "copilot", Copilots)
}

// InstalledAll returns a folder with all versions of all runtimes.
func InstalledAll(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("PARLEY_CONTRACT_RUNTIMES"); dir != "" {
		return dir
	}
	dir := t.TempDir()
	install(t, dir, "claude", Claudes)
	install(t, dir, "copilot", Copilots)
	return dir
}

// Copilot returns the command line that starts an installed version from the folder. That of the CLI starts the CLI itself,
// and never the faster program that it unpacks.
func Copilot(t testing.TB, dir, version string) []string {
	t.Helper()
	return []string{find(t, dir, "copilot", version).Path}
}

// installed returns the folder with some versions of a runtime.
func installed(t testing.TB, name string, versions []string) string {
	t.Helper()
	if dir := os.Getenv("PARLEY_CONTRACT_RUNTIMES"); dir != "" {
		return dir
	}
	dir := t.TempDir()
	install(t, dir, name, versions)
	return dir
}

func install(t testing.TB, dir, name string, versions []string) {
	t.Helper()
	r := runtimes.New(runtimes.Options{Dir: dir, Environ: os.Environ()})
	for _, version := range versions {
		if _, err := r.Install(t.Context(), name, version, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// find returns an installed version from the folder.
func find(t testing.TB, dir, name, version string) runtimes.Found {
	t.Helper()
	r := runtimes.New(runtimes.Options{Dir: dir, Environ: os.Environ(),
		Configured: map[string]runtimes.Configured{name: {Path: filepath.Join(dir, name, version)}}})
	found, err := r.Find(name)
	if err != nil || found.Version != version {
		t.Fatalf("the runtime %s %s is not in %s: %v", name, version, dir, err)
	}
	return found
}

// newestOf returns the newest tested version.
func newestOf(name string) string {
	tested := runtimes.Tested(name)
	return tested[len(tested)-1]
}
