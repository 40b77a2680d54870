//go:build contract && linux

package cli

import (
	"regexp"
	"testing"

	"parley/session/runtimes/runtimestest"
)

// TestContractOneRepository works in the repository of TestOneRepositoryOnATerminal with each real runtime.
func TestContractOneRepository(t *testing.T) {
	onRuntimes(t, func(t *testing.T, use func(*world)) {
		r := newRepository(t, "claude")
		use(r.world)
		r.onPrompt, r.onCommand = r.onPrompt[:1], r.onCommand[:1] // it reads no hooks of Copilot's files
		r.without = append(r.without, regexp.MustCompile(`copilot-(command|prompt)|\.github/hooks`))
		// It names a plugin's server after the plugin.
		r.differs = append(r.differs, difference{regexp.MustCompile(`plugin_demo_shed {2}`), "shed              "}, difference{regexp.MustCompile(`plugin_demo_shed`), "shed"})
		r.inWords("mcp__shed__echo", "mcp__plugin_demo_shed__echo")
		r.work()
	})
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		t.Run("copilot "+version, func(t *testing.T) {
			r := newRepository(t, "copilot")
			r.useCopilot(dir, version)
			// It has a server of its own, which the simulation lacks.
			r.without = append(r.without, regexp.MustCompile(`github-mcp-server|^  yours`))
			// The program that it unpacks runs the hooks of .github/hooks only, and the list of hooks says so.
			if version == "1.0.102" {
				r.silent = []string{r.onPrompt[0], r.onCommand[0]}
				r.onPrompt, r.onCommand = r.onPrompt[1:], r.onCommand[1:]
			}
			// It calls a plugin's skill by its own name, without the plugin's.
			r.differs = append(r.differs, difference{regexp.MustCompile(`used the skill greet {5}`), "used the skill demo:greet"})
			r.inWords("tool: Bash", "tool: bash", "tool: Skill}", "tool: skill}", "tool: Skill\n", "tool: skill\n",
				"mcp__depot__echo", "depot-echo", "mcp__shed__echo", "shed-echo", "demo:greet", "greet")
			r.work()
		})
	}
}
