//go:build contract

package transcript_test

import (
	"flag"
	"path/filepath"
	"testing"

	"parley/session/runtimes/runtimestest"
)

var update = flag.Bool("update", false, "record the runtimes again")

// installed saves the installation while one works on the recordings; what decides is a run without it.
var installed = flag.String("runtimes", "", "a `folder` in which the pinned runtimes are installed already")

// runtimes are the real ones: the oldest supported, which is a script for node, and a native one.
var runtimes = []struct {
	name string
	argv func(dir string) []string
}{
	{"sdk-0.2.112", func(dir string) []string {
		return []string{"node", filepath.Join(dir, "claude", runtimestest.ClaudeScript, "cli.js")}
	}},
	{"native", func(dir string) []string {
		return []string{filepath.Join(dir, "claude", runtimestest.ClaudeNative, "claude")}
	}},
}

// installRuntimes installs the pinned runtimes as `parley runtimes install` does.
func installRuntimes(t *testing.T) string {
	t.Helper()
	if *installed != "" {
		return *installed
	}
	return runtimestest.Installed(t)
}
