//go:build contract && unix

package copilot

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/agenttest/scenario"
	"parley/session/extensions/plugin"
	"parley/session/runtimes/runtimestest"
)

// TestContractPlugins gives real runtimes a plugin that parley has installed: its hook runs, the model loads its skill and calls the tool of
// its server, whether the directory is trusted or not.
func TestContractPlugins(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		for _, form := range []string{scenario.FormClaude, scenario.FormOpen} {
			for _, trusted := range []bool{true, false} {
				t.Run(version+"/"+form+map[bool]string{true: "/trusted", false: "/untrusted"}[trusted], func(t *testing.T) {
					t.Parallel()
					w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
					found := scenario.Installed(w.stage(), form, map[string]any{"command": os.Args[0], "args": []string{}, "env": map[string]string{serverVariable: "1"}})
					w.agent.o.Trusted = func(string) bool { return trusted }
					w.agent.o.Plugins = func(ctx context.Context) []string { return found.Folders(ctx, plugin.Copilot) }
					w.allows()
					w.completes("hello", "You said: hello")
					w.eventually("skill that the model knows", func() bool { return len(w.marks("SKILL-greets")) > 0 })
					w.completes("use the skill greet", "skill-context")
					if len(w.marks("BODY-greet")) == 0 {
						t.Error("the model has not read the skill")
					}
					w.completes("server depot-look", "did look")
					// 1.0.85 runs no hooks of plugins that a session names.
					if got, err := os.ReadFile(filepath.Join(w.home, "hook-ran")); form == scenario.FormClaude && version != "1.0.85" && (err != nil || !strings.Contains(string(got), "look")) {
						t.Errorf("the hook: %q, %v", got, err)
					}
				})
			}
		}
	}
}
