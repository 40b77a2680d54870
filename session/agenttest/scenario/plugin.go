package scenario

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"parley/session/extensions/plugin"
)

// The forms of a plugin that parley installs.
const (
	FormClaude = "claude"
	FormOpen   = "open"
)

// Installed returns plugins with one that is on, "demo", in the form of Claude Code or in that of Agent Plugins. It has the skill "greet"
// with BODY-greet, an MCP server "depot" with a description, and in the first form a hook that writes into the file "hook-ran" of home.
func Installed(s Stage, form string, depot any) *plugin.Store {
	s.Helper()
	server, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"depot": depot}})
	if err != nil {
		s.Fatal(err)
	}
	files := map[string]string{"skills/greet/SKILL.md": "---\nname: greet\ndescription: SKILL-greets\n---\nBODY-greet\n"}
	switch form {
	case FormClaude:
		files[".claude-plugin/plugin.json"] = `{"name":"demo","version":"1.0.0","description":"d"}`
		files[".mcp.json"] = string(server)
		files["hooks/hooks.json"] = fmt.Sprintf(`{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"\"${CLAUDE_PLUGIN_ROOT}/note.sh\" %s"}]}]}}`, filepath.Join(s.Home, "hook-ran"))
		files["note.sh"] = "#!/bin/sh\ncat >> \"$1\"\n"
	default:
		files["plugin.json"] = `{"$schema":"https://agent-plugins.org/1.0.0/plugin.schema.json","name":"demo","version":"1.0.0","description":"d"}`
		files["mcp.json"] = string(server)
	}
	from := filepath.Join(s.Home, "source", "demo")
	s.files(from, files)
	store := plugin.New(plugin.Options{Dir: filepath.Join(s.Home, "plugins"), Home: s.Home, Claude: filepath.Join(s.Home, ".claude"), Copilot: filepath.Join(s.Home, ".copilot")})
	if _, err := store.Install(s.Context(), from); err != nil {
		s.Fatal(err)
	}
	if err := store.Switch(s.Context(), "demo", true); err != nil {
		s.Fatal(err)
	}
	return store
}
