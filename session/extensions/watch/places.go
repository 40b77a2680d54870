package watch

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"parley/session/trust"
)

// Homes are the folders of the user and the administrator. One that is empty has nothing.
type Homes struct {
	// Home is the user's home directory, Claude and Copilot the folders of the two runtimes in it, Config is parley's of configuration
	// and Plugins that of its plugins.
	Home, Claude, Copilot, Config, Plugins string
	// ClaudeFile is Claude Code's file of the user. Of it only servers count: Claude Code writes it all the time.
	ClaudeFile string
	// Managed are files and folders of an administrator for Claude Code, ManagedCopilot those for the Copilot CLI.
	Managed, ManagedCopilot []string
	// PluginDirs returns the folders of plugins that are elsewhere; nil: there are none.
	PluginDirs func(ctx context.Context) []string
}

// named is a place below a folder.
type named struct {
	kind  Kind
	name  string
	depth int
}

// The places below a folder of each owner.
var (
	ofClaude = []named{{Instructions, "CLAUDE.md", 0}, {Instructions, "rules", 3}, {Agents, "agents", 3}, {Skills, "skills", 2}, {Skills, "commands", 4},
		{Skills, "output-styles", 1}, {Claude, "settings.json", 0}, {Plugins, "plugins/installed_plugins.json", 0}}
	ofCopilot = []named{{Instructions, "copilot-instructions.md", 0}, {Agents, "agents", 3}, {Skills, "skills", 2}, {Copilot, "hooks", 1},
		{Copilot, "mcp-config.json", 0}, {Copilot, "settings.json", 0}, {Plugins, "installed-plugins", 5}}
	ofParley = []named{{Instructions, "AGENTS.md", 0}, {Agents, "agents", 3}, {Agents, "prompts", 3}, {Skills, "skills", 2}, {Skills, "commands", 4},
		{Skills, "output-styles", 1}, {OfParley, "mcp.json", 0}}
	ofProject = []named{{Instructions, "CLAUDE.md", 0}, {Instructions, "CLAUDE.local.md", 0}, {Instructions, "AGENTS.md", 0}, {Instructions, ".claude/CLAUDE.md", 0},
		{Instructions, ".claude/rules", 3}, {Instructions, ".github/copilot-instructions.md", 0}, {Instructions, ".github/instructions", 3},
		{Agents, ".claude/agents", 3}, {Agents, ".github/agents", 3}, {Agents, ".github/prompts", 3},
		{Skills, ".claude/skills", 2}, {Skills, ".claude/commands", 4}, {Skills, ".claude/output-styles", 1}, {Skills, ".github/skills", 2}, {Skills, ".agents/skills", 2},
		{Shared, ".mcp.json", 0}, {Shared, ".claude/settings.json", 0}, {Shared, ".claude/settings.local.json", 0},
		{Copilot, ".github/hooks", 1}, {Copilot, ".github/mcp.json", 0}, {Copilot, ".github/copilot/settings.json", 0},
		{Copilot, ".github/copilot/settings.local.json", 0}, {OfParley, ".vscode/mcp.json", 0}}
)

// maxLevels bounds the folders above a directory in which a project has something.
const maxLevels = 20

// Places returns the places of a directory: those of the administrator, of the user, of plugins, and of the project, up to the root of
// its repository.
func (h Homes) Places(ctx context.Context, dir string) (all []Place) {
	add := func(base, root string, names []named) {
		for _, n := range names {
			if base != "" {
				all = append(all, Place{Kind: n.kind, Path: filepath.Join(base, filepath.FromSlash(n.name)), Depth: n.depth, Base: root})
			}
		}
	}
	for kind, paths := range map[Kind][]string{Claude: h.Managed, Copilot: h.ManagedCopilot} {
		for _, at := range paths {
			p := Place{Kind: kind, Path: at}
			if filepath.Ext(at) != ".json" {
				p.Depth = 1
			}
			all = append(all, p)
		}
	}
	add(h.Claude, "", ofClaude)
	add(h.Copilot, "", ofCopilot)
	add(h.Config, "", ofParley)
	add(h.Home, "", []named{{Skills, ".agents/skills", 2}})
	add(h.Plugins, "", []named{{Plugins, "plugins.json", 0}})
	if h.ClaudeFile != "" {
		all = append(all, Place{Kind: Claude, Path: h.ClaudeFile, Part: func() []byte {
			u := trust.ReadUserServers(h.ClaudeFile, dir, h.Home)
			if len(u.Everywhere) == 0 {
				u.Everywhere = nil // as in a file that names none
			}
			data, _ := json.Marshal(u)
			return data
		}})
	}
	if h.PluginDirs != nil {
		for _, at := range h.PluginDirs(ctx) {
			all = append(all, Place{Kind: Plugins, Path: at, Depth: 4})
		}
	}
	home, _ := filepath.EvalSymlinks(h.Home)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		root := rootOf(real, home)
		for at, n := real, 0; n < maxLevels && at != home; at, n = filepath.Dir(at), n+1 {
			add(at, root, ofProject)
			if at == root {
				break
			}
		}
	}
	return all
}

// rootOf returns the root of the repository of a directory, or the directory itself.
func rootOf(dir, home string) string {
	for at := dir; at != home; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return dir
}
