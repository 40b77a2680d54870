//go:build contract && linux

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/copilot/sim/script"
	"parley/session/runtimes/runtimestest"
)

// TestContractRewind holds the conversation of TestRewindOnATerminal with each real runtime.
func TestContractRewind(t *testing.T) {
	onRuntimes(t, func(t *testing.T, use func(*world)) {
		c := newChanging(t, "claude")
		use(c.world)
		c.rewind()
	})
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		t.Run("copilot "+version, func(t *testing.T) {
			c := newChanging(t, "copilot")
			c.useCopilot(dir, version)
			c.inCopilotsWords()
			c.rewind()
		})
	}
}

// inCopilotsWords makes the model's side call the tools of the Copilot runtime, by their names and inputs.
func (c *changing) inCopilotsWords() {
	c.t.Helper()
	c.inWords("tool: Read", "tool: view", "tool: Edit", "tool: edit", "tool: Write", "tool: create", "tool: Bash", "tool: bash",
		"file_path:", "path:", "old_string:", "old_str:", "new_string:", "new_str:", "content:", "file_text:")
	if err := os.Mkdir(filepath.Join(c.dir, "lang"), 0o700); err != nil { // its tool makes no folders
		c.t.Fatal(err)
	}
}

// inWords replaces words of the model's side: each old one is followed by its new one.
func (a *approvals) inWords(oldnew ...string) {
	a.t.Helper()
	text, err := os.ReadFile(filepath.Join(sources, "internal", "cli", "testdata", a.goldens, "script.yaml"))
	if err != nil {
		a.t.Fatal(err)
	}
	s, err := script.Parse(strings.NewReader(strings.NewReplacer(oldnew...).Replace(string(text))), "script.yaml")
	if err != nil {
		a.t.Fatal(err)
	}
	a.sim.SetScript(s)
}
