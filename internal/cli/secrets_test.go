//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgentsGetNoGitHubToken runs both agents with tokens in the environment and reads what reached them.
func TestAgentsGetNoGitHubToken(t *testing.T) {
	for _, agent := range []string{"builtin", "claude"} {
		for _, named := range []string{"", "GH_TOKEN"} {
			t.Run(agent+" "+named, func(t *testing.T) {
				w := newWorld(t).signIn(`
rules:
  - when: {result: false}
    reply: [{tool: Bash, input: {command: "env > environ"}}]
  - reply: done
`)
				w.env = append(w.env, "GH_TOKEN=opaque-gh-token", "GITHUB_TOKEN=opaque-repository-token", "SAME="+w.sim.Token(), "OTHER=passes")
				file := filepath.Join(w.dir, "environ")
				args := []string{"-p", "--permission-mode", "bypassPermissions", "x"}
				if agent == "claude" {
					w.standInRuntime("telling", environVariable+"="+file)
					w.env = append(w.env, "PARLEY_AGENT=claude", "IS_SANDBOX=1")
				}
				if named != "" {
					w.env = append(w.env, "PARLEY_TOOLS_PASS_ENV="+named)
				}
				w.mustRun(args...)
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				got := string(data)
				if strings.Contains(got, w.sim.Token()) || strings.Contains(got, "opaque-repository-token") {
					t.Errorf("a token reached the agent:\n%s", got)
				}
				if passed := strings.Contains(got, "GH_TOKEN=opaque-gh-token\n"); passed != (named != "") || !strings.Contains(got, "OTHER=passes\n") {
					t.Errorf("named %q, but the agent got\n%s", named, got)
				}
			})
		}
	}
}
