package trust

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestWhatTheCopilotRuntimeWouldLoad(t *testing.T) {
	hooks := func(command string) string {
		return `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"` + command + `","powershell":"x"}]}}`
	}
	home, repo := place(t, map[string]string{
		"AGENTS.md": "a", "CLAUDE.md": "b", "GEMINI.md": "c", ".github/copilot-instructions.md": "d", ".github/instructions/x.instructions.md": "e",
		".github/hooks/one.json": hooks("./hook-one"), ".github/hooks/two.json": `{"hooks":{"preToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"./hook-two"}]}]}}`,
		".github/copilot/settings.json":       strings.TrimSuffix(hooks("./settings-hook"), "}") + `,"enabledPlugins":{"p@m":true},"mcpServers":{"s":{"command":"./settings-server"}},"model":"m"}`,
		".github/copilot/settings.local.json": hooks("./local-hook"),
		".claude/settings.json":               `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./claude-hook"}]}]}}`,
		".mcp.json":                           `{"mcpServers":{"m":{"command":"./server","args":["-x"]}}}`,
		".github/mcp.json":                    `{"mcpServers":{"g":{"type":"http","url":"https://example.com"}}}`,
		".github/lsp.json":                    `{"lspServers":{"l":{"command":"./language","args":["--stdio"]}}}`,
		".lsp.json":                           `{"lspServers":[]}`,
		".github/extensions/e/extension.mjs":  "run()",
		".github/agents/a.agent.md":           "---\nname: a\n---\nx",
		".agents/skills/s/SKILL.md":           "---\nname: s\n---\nx",
		".claude/commands/c.md":               "x",
	})
	items, sum, err := scan(t.Context(), Copilot, repo, home, "")
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]string{}
	kinds := map[string]int{}
	for _, i := range items {
		runs[i.Runs] = i.Kind
		kinds[i.Kind]++
	}
	for command, kind := range map[string]string{"./hook-one": kindHook, "./hook-two": kindHook, "./settings-hook": kindHook, "./local-hook": kindHook,
		"./claude-hook": kindHook, "./settings-server": kindServer, "./server -x": kindServer, "./language --stdio": kindServer} {
		if runs[command] != kind {
			t.Errorf("%s is listed as %q, want %q", command, runs[command], kind)
		}
	}
	for kind, n := range map[string]int{kindInstructions: 5, kindAgent: 1, kindSkill: 1, kindCommand: 1, kindPlugin: 2, kindServer: 5, kindSettings: 1} {
		if kinds[kind] != n {
			t.Errorf("%d items of kind %s, want %d", kinds[kind], kind, n)
		}
	}
	for name, text := range map[string]string{".github/hooks/one.json": hooks("./other"), ".github/extensions/e/extension.mjs": "other()",
		".lsp.json": `{"lspServers":{"x":{"command":"x"}}}`} {
		tree(t, repo, map[string]string{name: text})
		_, changed, err := scan(t.Context(), Copilot, repo, home, "")
		if err != nil || changed == sum {
			t.Errorf("%s changed and the list did not: %v", name, err)
		}
		sum = changed
	}
}

// A directory that the user trusts for Claude Code is not trusted for Copilot, which reads other files.
func TestADecisionIsAboutOneRuntime(t *testing.T) {
	home, repo := place(t, map[string]string{"CLAUDE.md": "a", ".github/hooks/one.json": `{"hooks":{"sessionStart":[{"bash":"./hook"}]}}`})
	dir := t.TempDir()
	claude := New(Options{Dir: dir, Home: home})
	copilot := New(Options{Dir: filepath.Join(dir, "copilot"), Home: home, Runtime: Copilot})
	items, err := claude.Untrusted(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	if err := claude.Trust(t.Context(), repo, items, true); err != nil {
		t.Fatal(err)
	}
	if yes, err := copilot.Trusted(repo); yes || err != nil {
		t.Errorf("%v %v", yes, err)
	}
	if more, err := copilot.Untrusted(t.Context(), repo); err != nil || len(more) <= len(items) {
		t.Errorf("%+v %v", more, err)
	}
}

func TestServersOfCopilotSessions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("own servers cannot run elsewhere there")
		return
	}
	home, repo := place(t, map[string]string{".mcp.json": `{"mcpServers":{"theirs":{"command":"./server"},"quick":{"command":"q","timeout":5000},"odd":7}}`, ".github/mcp.json": `nonsense`})
	config := filepath.Join(home, ".copilot", "mcp-config.json")
	tree(t, home, map[string]string{".copilot/mcp-config.json": `{"mcpServers":{"own":{"type":"local","command":"npx","args":["x"],"tools":["*"]},"odd":{"command":7}}}`})
	var servers map[string]struct {
		Command string
		Args    []string
		Timeout int
	}
	if err := json.Unmarshal(CopilotServers(config, repo, home, false), &servers); err != nil || len(servers) != 1 {
		t.Fatalf("%v %v", servers, err)
	}
	if s := servers["own"]; s.Command != "/bin/sh" || len(s.Args) != 6 || s.Args[3] != home || s.Args[4] != "npx" || s.Timeout != 86400000 {
		t.Errorf("%+v", s)
	}
	servers = nil
	if err := json.Unmarshal(CopilotServers(config, repo, home, true), &servers); err != nil || len(servers) != 2 || servers["theirs"].Command != "./server" {
		t.Fatalf("%v %v", servers, err)
	}
	if servers["theirs"].Timeout != 86400000 || servers["quick"].Timeout != 5000 {
		t.Errorf("calls may take %+v", servers)
	}
	if got := CopilotServers("", t.TempDir(), home, true); got != nil {
		t.Errorf("%s", got)
	}
}
