package runtimestest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parley/session/runtimes"
)

// Variables of the environment that .ci/contracts sets.
const (
	folderVariable = "PARLEY_CONTRACT_RUNTIMES" // the folder in which the driven versions are installed
	matrixVariable = "PARLEY_CONTRACT_MATRIX"   // "newest" drives only the newest version of each runtime
)

// Drives reports whether contract tests drive a version. Tests with a table of versions leave the others out.
func Drives(version string) bool {
	return slices.Contains(Claudes, version) || slices.Contains(Copilots, version)
}

// InstalledAll returns a folder with the driven versions of all runtimes.
func InstalledAll(t testing.TB) string {
	t.Helper()
	return installed(t, "claude", "copilot")
}

// driven returns which of some versions, oldest first, the tests drive: all of them unless the environment wants the newest.
func driven(versions ...string) []string {
	if os.Getenv(matrixVariable) == "newest" {
		return versions[len(versions)-1:]
	}
	return versions
}

// installed returns the folder with the driven versions of some runtimes.
func installed(t testing.TB, names ...string) string {
	t.Helper()
	if dir := os.Getenv(folderVariable); dir != "" {
		return dir
	}
	dir := t.TempDir()
	r := runtimes.New(runtimes.Options{Dir: dir, Environ: os.Environ()})
	for _, name := range names {
		for _, version := range map[string][]string{"claude": Claudes, "copilot": Copilots}[name] {
			if _, err := r.Install(t.Context(), name, version, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
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
