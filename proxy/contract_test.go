//go:build contract

package proxy_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/copilot/sim"
)

// sdkFolder holds a program for Node on Anthropic's TypeScript SDK, in the version its lockfile pins.
const sdkFolder = "../.ci/contract/sdk"

// The official TypeScript SDK streams, thinks, uses tools, lists models and fails through the proxy as it does with
// Anthropic. Needs node and npm, and npm's registry: without them the test fails.
func TestContractTypeScript(t *testing.T) {
	dir := install(t)
	h := newHouse(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "run.mjs")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ANTHROPIC_BASE_URL=" + h.url, "ANTHROPIC_AUTH_TOKEN=" + h.bearer}
	if root := os.Getenv("SystemRoot"); root != "" {
		cmd.Env = append(cmd.Env, "SystemRoot="+root) // Node does not start without on Windows
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := false
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		line := lines.Text()
		t.Log(line)
		if name, ok := strings.CutPrefix(line, "release "); ok {
			h.sim.Release(name)
		}
		done = done || line == "done"
	}
	if err := cmd.Wait(); err != nil || !done {
		t.Fatalf("node: %v\n%s", err, stderr.String())
	}

	// The service noticed that the client left.
	left := func(r sim.Request) bool {
		return r.Rule == "endless" && r.Ended == sim.EndedClientClosed
	}
	if err := h.sim.Wait(ctx, func(all []sim.Request) bool { return slices.ContainsFunc(all, left) }); err != nil {
		t.Error("the service was not told that the client left:", err)
	}
	seen := map[string]int{}
	for _, r := range h.sim.Requests() {
		seen[r.Rule]++
		if r.Refused != "" {
			t.Errorf("the service refused a request: %s", r.Refused)
		}
		if beta := r.Header.Get("Anthropic-Beta"); strings.Contains(beta, "no-such-beta") {
			t.Errorf("a beta the service does not know was passed on: %s", beta)
		}
		for _, name := range []string{"X-Stainless-Lang", "X-Api-Key"} {
			if r.Header.Get(name) != "" {
				t.Errorf("the service got the header %s", name)
			}
		}
		if agent := r.Header.Get("User-Agent"); strings.Contains(agent, "Anthropic/") || agent == "" {
			t.Errorf("the service got the user agent %q", agent)
		}
	}
	for _, rule := range []string{"no quota", "refused"} { // streaming and not
		if seen[rule] != 2 {
			t.Errorf("%q was sent %d times, want 2: once each", rule, seen[rule])
		}
	}
}

// install puts the program and its dependencies in a folder of the test's own. npm reads the user's settings, because
// they may name the registry, and writes nowhere else.
func install(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "run.mjs"} {
		text, err := os.ReadFile(filepath.Join(sdkFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Fatal("npm is needed:", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "npm_config_cache="+filepath.Join(t.TempDir(), "npm"), "npm_config_logs_max=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	return dir
}
