package watch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"parley/session/extensions/watch"
)

// Claude Code makes its file of the user at its first start. That changes nothing until a server stands in it.
func TestClaudeFileThatNamesNoServer(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	h := watch.Homes{Home: home, ClaudeFile: filepath.Join(home, ".claude.json")}
	w := watch.New(watch.Options{Places: h.Places})
	t.Cleanup(w.Close)
	write := func(everywhere map[string]any) {
		data, err := json.Marshal(map[string]any{"numStartups": 1, "mcpServers": everywhere, "projects": map[string]any{dir: map[string]any{"mcpServers": map[string]any{}}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(h.ClaudeFile, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := w.Look(t.Context(), dir)
	write(map[string]any{})
	if w.Look(t.Context(), dir) != before {
		t.Error("a file without servers counts as a change")
	}
	write(map[string]any{"mine": map[string]any{"command": "x"}})
	if w.Look(t.Context(), dir) == before {
		t.Error("a server doesn't count")
	}
}
