package runtimestest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parley/session/runtimes"
)

// Versions of the Claude Code runtime that contract tests drive and that stay the same: the oldest supported, a script for
// node, and the first tested one that is native.
const (
	ClaudeScript = "2.1.112"
	ClaudeNative = "2.1.197"
)

// ClaudeNewest is the newest version that was recorded. `make record` moves it.
var ClaudeNewest = newest()

func newest() string {
	tested := runtimes.Tested("claude")
	return tested[len(tested)-1]
}

// Claudes are all of them, oldest first.
var Claudes = []string{ClaudeScript, ClaudeNative, ClaudeNewest}

// Installed returns the folder with all versions of the Claude Code runtime: the one that PARLEY_CONTRACT_RUNTIMES names,
// else one of the test's own, into which they are installed.
func Installed(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("PARLEY_CONTRACT_RUNTIMES"); dir != "" {
		return dir
	}
	dir := t.TempDir()
	r := runtimes.New(runtimes.Options{Dir: dir, Environ: os.Environ()})
	for _, version := range Claudes {
		if _, err := r.Install(t.Context(), "claude", version, nil); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Claude returns the command line that starts an installed version from the folder.
func Claude(t testing.TB, dir, version string) []string {
	t.Helper()
	r := runtimes.New(runtimes.Options{Dir: dir, Environ: os.Environ(),
		Configured: map[string]runtimes.Configured{"claude": {Path: filepath.Join(dir, "claude", version)}}})
	found, err := r.Find("claude")
	if err != nil || found.Version != version {
		t.Fatalf("the runtime %s is not in %s: %v", version, dir, err)
	}
	return slices.Clone(found.Argv)
}
