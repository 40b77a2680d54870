//go:build contract

package transcript_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
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
		return []string{"node", filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-agent-sdk", "cli.js")}
	}},
	{"native", func(dir string) []string {
		return []string{filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-linux-x64", "claude")}
	}},
}

// installRuntimes installs the pinned runtimes with npm.
func installRuntimes(t *testing.T) string {
	t.Helper()
	if *installed != "" {
		return *installed
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "runtimes", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	return dir
}
