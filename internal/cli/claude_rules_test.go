package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// What Claude Code's settings allow every agent may do, judged by parley, unless the configuration says otherwise.
func TestRulesOfClaudeCodeHoldForTheBuiltinAgent(t *testing.T) {
	for name, tc := range map[string]struct {
		settings, config string
		made             bool
	}{
		"none":       {`{}`, "", false},
		"allowed":    {`{"permissions":{"allow":["Bash(touch:*)"]}}`, "", true},
		"denied":     {`{"permissions":{"allow":["Bash(touch:*)"],"deny":["Bash(touch made)"]}}`, "", false},
		"left out":   {`{"permissions":{"allow":["Bash(touch:*)"]}}`, "claude:\n  rules: false\n", false},
		"everything": {`{"permissions":{"allow":["Bash"]}}`, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t).signIn(talkative)
			for path, text := range map[string]string{".claude/settings.json": tc.settings, ".config/parley/config.yaml": tc.config} {
				path = filepath.Join(w.home, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			o := w.run("-p", "bash")
			if _, err := os.Stat(filepath.Join(w.dir, "made")); (err == nil) != tc.made {
				t.Errorf("made: %v; %+v", err, o)
			}
		})
	}
}
