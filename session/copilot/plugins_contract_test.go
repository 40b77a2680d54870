//go:build contract && unix

package copilot

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/extensions/plugin"
	"parley/session/runtimes/runtimestest"
)

// TestContractPlugins gives real runtimes a plugin that parley has installed: its hook runs, the model loads its skill and calls the tool of
// its server, whether the directory is trusted or not.
func TestContractPlugins(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		for _, form := range []string{"claude", "open"} {
			for _, trusted := range []bool{true, false} {
				t.Run(version+"/"+form+map[bool]string{true: "/trusted", false: "/untrusted"}[trusted], func(t *testing.T) {
					t.Parallel()
					w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
					found := installed(t, w.home, form)
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
					if got, err := os.ReadFile(filepath.Join(w.home, "hook-ran")); form == "claude" && version != "1.0.85" && (err != nil || !strings.Contains(string(got), "look")) {
						t.Errorf("the hook: %q, %v", got, err)
					}
				})
			}
		}
	}
}

// installed returns plugins with one that is on, in the form of Claude Code or in that of Agent Plugins.
func installed(t *testing.T, home, form string) *plugin.Store {
	t.Helper()
	server, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"depot": map[string]any{"command": os.Args[0], "args": []string{}, "env": map[string]string{serverVariable: "1"}}}})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"skills/greet/SKILL.md": "---\nname: greet\ndescription: SKILL-greets\n---\nBODY-greet\n"}
	switch form {
	case "claude":
		files[".claude-plugin/plugin.json"] = `{"name":"demo","version":"1.0.0","description":"d"}`
		files[".mcp.json"] = string(server)
		files["hooks/hooks.json"] = fmt.Sprintf(`{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"\"${CLAUDE_PLUGIN_ROOT}/note.sh\" %s"}]}]}}`, filepath.Join(home, "hook-ran"))
		files["note.sh"] = "#!/bin/sh\ncat >> \"$1\"\n"
	default:
		files["plugin.json"] = `{"$schema":"https://agent-plugins.org/1.0.0/plugin.schema.json","name":"demo","version":"1.0.0","description":"d"}`
		files["mcp.json"] = string(server)
	}
	from := filepath.Join(home, "source", "demo")
	for name, text := range files {
		path := filepath.Join(from, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := plugin.New(plugin.Options{Dir: filepath.Join(home, "plugins"), Home: home, Claude: filepath.Join(home, ".claude"), Copilot: filepath.Join(home, ".copilot")})
	if _, err := s.Install(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	if err := s.Switch(t.Context(), "demo", true); err != nil {
		t.Fatal(err)
	}
	return s
}
