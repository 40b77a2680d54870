package copilot

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
)

// trustParams are the parameters of a session that decide what its directory brings into it. Left to itself, the runtime runs
// the hooks that a repository brings, and the language servers that it names, without asking.
type trustParams struct {
	// ConfigDiscovery finds agents, skills, commands and MCP servers of the user and of the repository.
	ConfigDiscovery bool `json:"enableConfigDiscovery"`
	// FileHooks runs the commands of .github/hooks, .github/copilot/settings.json and .claude/settings.json, and of the user.
	FileHooks bool `json:"enableFileHooks"`
	Skills    bool `json:"enableSkills"`
	// SkillDirs are further directories with skills.
	SkillDirs []string `json:"skillDirectories,omitempty"`
	// PluginDirs are folders of plugins.
	PluginDirs []string `json:"pluginDirectories,omitempty"`
	// SkillsOff are the names of skills that are not used.
	SkillsOff []string `json:"disabledSkills,omitempty"`
	// Git reads the repository's state for the system prompt.
	Git bool `json:"enableHostGitOperations"`
	// SkipInstructions leaves out AGENTS.md, .github/copilot-instructions.md and the like, and those of the user.
	SkipInstructions bool `json:"skipCustomInstructions"`
	// LaterInstructions loads those of a directory when a file there is read.
	LaterInstructions bool `json:"enableOnDemandInstructionDiscovery"`
	// Excluded are tools that the session does not have.
	Excluded []string `json:"excludedTools,omitempty"`
	// System is added to the system prompt, nil for nothing.
	System *systemMessage `json:"systemMessage,omitempty"`
	// Servers are MCP servers by their names, nil for none.
	Servers json.RawMessage `json:"mcpServers,omitempty"`
}

// systemMessage is a change of the system prompt.
type systemMessage struct {
	Mode    string `json:"mode"`
	Content string `json:"content"`
}

// languageTool asks language servers, which .lsp.json and .github/lsp.json of a repository name. It starts them.
const languageTool = "lsp"

// trustOf returns the parameters for a directory that the user trusts, or does not. Until then only the user's own skills,
// instructions and servers come into the session.
func (a *Agent) trustOf(ctx context.Context, dir string, trusted bool) trustParams {
	p := trustParams{ConfigDiscovery: trusted, FileHooks: trusted, Skills: true, Git: trusted, SkipInstructions: !trusted, LaterInstructions: trusted}
	if a.o.Servers != nil {
		p.Servers = a.o.Servers(dir, trusted)
	}
	if a.o.Plugins != nil {
		p.PluginDirs = a.o.Plugins(ctx)
	}
	for _, dir := range a.o.SkillDirs {
		if isDir(dir) && !(trusted && a.readsSkills(dir)) {
			p.SkillDirs = append(p.SkillDirs, dir)
		}
	}
	if trusted {
		return p
	}
	p.Excluded = []string{languageTool}
	if a.home == "" {
		return p
	}
	own, err := safefs.ReadFile(ctx, filepath.Join(a.home, "copilot-instructions.md"), maxInstructions, safefs.FollowLinks)
	if text := strings.TrimSpace(string(own)); err == nil && text != "" {
		p.System = &systemMessage{Mode: "append", Content: text}
	}
	return p
}

// readsSkills reports whether the runtime reads a folder of skills itself, as 1.0.102 does in a trusted directory: its own, and that of
// ~/.agents.
func (a *Agent) readsSkills(dir string) bool {
	return dir == filepath.Join(a.home, "skills") || dir == filepath.Join(a.o.UserHome, ".agents", "skills")
}

// maxInstructions bounds the user's own instructions, in bytes.
const maxInstructions = 256 << 10

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
