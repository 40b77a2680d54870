package agentfiles

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
)

// maxPlugins bounds the plugins that are looked at.
const maxPlugins = 200

// copilotPlugins adds the plugins that the user has installed for Copilot, by their directories: those below installed-plugins,
// in a directory for each marketplace, without those that the settings switch off.
func (f *Finder) copilotPlugins(into map[string]place) {
	if f.o.CopilotDir == "" {
		return
	}
	var s struct {
		Enabled map[string]bool `json:"enabledPlugins"`
	}
	decodeFile(context.Background(), filepath.Join(f.o.CopilotDir, "settings.json"), &s)
	top := filepath.Join(f.o.CopilotDir, "installed-plugins")
	for _, market := range directories(top) {
		for _, name := range directories(filepath.Join(top, market)) {
			on, said := s.Enabled[name+"@"+market]
			if (on || !said) && isName(name) && len(into) < maxPlugins {
				into[filepath.Join(top, market, name)] = place{prefix: name + ":"}
			}
		}
	}
}

// claudePlugins adds the plugins that the user has installed and enabled for Claude Code.
func (f *Finder) claudePlugins(ctx context.Context, into map[string]place) {
	if f.o.ClaudeDir == "" {
		return
	}
	var s struct {
		Enabled map[string]bool `json:"enabledPlugins"`
	}
	var installed struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	decodeFile(ctx, filepath.Join(f.o.ClaudeDir, "settings.json"), &s)
	decodeFile(ctx, filepath.Join(f.o.ClaudeDir, "plugins", "installed_plugins.json"), &installed)
	for id, raw := range installed.Plugins {
		type copy struct {
			Path  string `json:"installPath"`
			Scope string `json:"scope"`
		}
		var one copy
		var several []copy
		if json.Unmarshal(raw, &several) != nil && json.Unmarshal(raw, &one) == nil {
			several = []copy{one}
		}
		name, _, _ := strings.Cut(id, "@")
		for _, c := range several {
			ours := c.Scope == "" || c.Scope == "user"
			if s.Enabled[id] && ours && filepath.IsAbs(c.Path) && isName(name) && len(into) < maxPlugins {
				into[filepath.Clean(c.Path)] = place{prefix: name + ":"}
			}
		}
	}
}

// decodeFile reads a JSON file of the user's into v, and leaves v as it is if that is impossible.
func decodeFile(ctx context.Context, path string, v any) {
	if data, err := safefs.ReadFile(ctx, path, maxFile, safefs.FollowLinks); err == nil {
		_ = json.Unmarshal(data, v)
	}
}

// directories returns the names of the directories in one.
func directories(dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries[:min(len(entries), maxPlugins)] {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}
