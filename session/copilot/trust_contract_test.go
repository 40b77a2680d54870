//go:build contract && unix

package copilot

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/runtimes/runtimestest"
	"parley/session/trust"
)

// TestContractCopilotTrust opens sessions in a repository that brings everything that a runtime might run or read. Before the
// user trusts it nothing of that runs or reaches the model. Afterwards the most of it does, or the test would show nothing.
func TestContractCopilotTrust(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		for _, trusted := range []bool{false, true} {
			t.Run(version+map[bool]string{false: "/untrusted", true: "/trusted"}[trusted], func(t *testing.T) {
				w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
				w.repository(trusted)
			})
		}
	}
}

// repository opens a session in a hostile repository and makes it use what it might have of it.
func (w *whole) repository(trusted bool) {
	ran := filepath.Join(w.home, "ran")
	w.hostile(ran)
	config := filepath.Join(w.home, ".copilot", "mcp-config.json")
	w.agent.o.Trusted = func(string) bool { return trusted }
	w.agent.o.Servers = func(dir string, trusted bool) json.RawMessage {
		return trust.CopilotServers(config, dir, w.home, trusted)
	}
	for name, text := range map[string]string{"copilot-instructions.md": "OWN-INSTRUCTIONS", "skills/mine/SKILL.md": "---\nname: mine\ndescription: OWN-SKILL\n---\nx",
		"mcp-config.json": `{"mcpServers":{"own":{"type":"local","command":"sh","args":["-c","pwd > ` + filepath.Join(w.home, "own-server") + `"],"tools":["*"]}}}`} {
		path := filepath.Join(w.home, ".copilot", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			w.t.Fatal(err)
		}
	}
	w.allows()
	w.completes("hello", "You said: hello")
	w.completes("run ls", "The tool said")
	w.completes("run cat a.txt", "The tool said")
	w.completes("write made.txt", "The tool said")
	w.completes("language "+filepath.Join(w.dir, "a.txt"), "The tool said")
	entries, err := os.ReadDir(ran)
	if err != nil {
		w.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	read := w.marks("MARK-INSTRUCTIONS", "MARK-SKILL", "MARK-AGENT", "MARK-COMMAND", "MARK-PLUGIN")
	if own := w.marks("OWN-INSTRUCTIONS", "OWN-SKILL"); len(own) != 2 {
		w.t.Errorf("of the user's own the model read %q", own)
	}
	w.eventually("server of the user", func() bool {
		where, err := os.ReadFile(filepath.Join(w.home, "own-server"))
		return err == nil && (trusted || strings.TrimSpace(string(where)) == w.home)
	})
	if !trusted {
		if len(names) > 0 || len(read) > 0 {
			w.t.Errorf("ran %q, the model read %q", names, read)
		}
		return
	}
	for _, name := range []string{"hooks", "copilot-settings", "claude-settings", "server", "language"} {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, name) }) {
			w.t.Errorf("%s did not run: %q", name, names)
		}
	}
	if !slices.Contains(read, "MARK-INSTRUCTIONS") || !slices.Contains(read, "MARK-SKILL") {
		w.t.Errorf("the model read %q", read)
	}
	items, err := trust.New(trust.Options{Dir: w.t.TempDir(), Home: w.home, Runtime: trust.Copilot}).Untrusted(w.t.Context(), w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, name := range names { // the user has seen all that ran
		kind, _, _ := strings.Cut(name, "@")
		if !slices.ContainsFunc(items, func(i session.RepositoryItem) bool { return strings.Contains(i.Runs, "/"+kind+"@") }) {
			w.t.Errorf("%s ran and is not listed", name)
		}
	}
}

// marks returns the marks that reached the model.
func (w *whole) marks(all ...string) []string {
	var out []string
	for _, r := range w.sim.Requests() {
		for _, mark := range all {
			if strings.Contains(string(r.Body), mark) && !slices.Contains(out, mark) {
				out = append(out, mark)
			}
		}
	}
	return out
}

// hostile writes a repository of which everything leaves a file in the directory ran.
func (w *whole) hostile(ran string) {
	if err := os.Mkdir(ran, 0o755); err != nil {
		w.t.Fatal(err)
	}
	touch := func(name string) string { return "touch " + ran + "/" + name + "@$$" }
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	own := func(name string) string {
		var events []string
		for _, e := range []string{"sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "agentStop"} {
			events = append(events, `"`+e+`":[{"type":"command","bash":`+quote(touch(name))+`,"powershell":"x"}]`)
		}
		return `{"version":1,"hooks":{` + strings.Join(events, ",") + `}}`
	}
	foreign := func(name string) string {
		var events []string
		for _, e := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"} {
			events = append(events, `"`+e+`":[{"matcher":"*","hooks":[{"type":"command","command":`+quote(touch(name))+`}]}]`)
		}
		return `{"hooks":{` + strings.Join(events, ",") + `}}`
	}
	server := func(name string) string {
		return `{"mcpServers":{"` + name + `":{"type":"local","command":"sh","args":["-c",` + quote(touch(name)) + `],"tools":["*"]}}}`
	}
	language := func(name string) string {
		return `{"lspServers":{"x":{"command":"sh","args":["-c",` + quote(touch(name)) + `],"fileExtensions":{".txt":"text"}}}}`
	}
	head := func(name, mark string) string {
		return "---\nname: " + name + "\ndescription: " + mark + "\n---\n" + mark
	}
	for name, text := range map[string]string{
		"a.txt": "one\n", "AGENTS.md": "MARK-INSTRUCTIONS", "CLAUDE.md": "MARK-INSTRUCTIONS", "GEMINI.md": "MARK-INSTRUCTIONS",
		".github/copilot-instructions.md": "MARK-INSTRUCTIONS", ".github/instructions/x.instructions.md": "---\napplyTo: '**'\n---\nMARK-INSTRUCTIONS",
		".claude/CLAUDE.md": "MARK-INSTRUCTIONS", ".github/agents/e.agent.md": head("e", "MARK-AGENT"), ".claude/agents/f.md": head("f", "MARK-AGENT"),
		".github/skills/s/SKILL.md": head("s", "MARK-SKILL"), ".claude/skills/t/SKILL.md": head("t", "MARK-SKILL"), ".agents/skills/u/SKILL.md": head("u", "MARK-SKILL"),
		".claude/commands/c.md": head("c", "MARK-COMMAND"), ".github/prompts/p.prompt.md": head("p", "MARK-COMMAND"),
		".github/hooks/e.json": own("hooks"), "hooks.json": own("root-hooks"), ".copilot/hooks/e.json": own("dot-hooks"),
		".github/copilot/settings.json": own("copilot-settings"), ".github/copilot/settings.local.json": own("copilot-settings-local"),
		".copilot/settings.json": own("dot-settings"), ".copilot/config.json": own("dot-config"), ".copilot/mcp-config.json": server("dot-server"),
		".claude/settings.json": foreign("claude-settings"), ".claude/settings.local.json": foreign("claude-settings-local"),
		".mcp.json": server("server"), ".github/mcp.json": server("github-server"), ".vscode/mcp.json": server("editor-server"),
		".lsp.json": language("language-root"), ".github/lsp.json": language("language"),
		".github/extensions/e/extension.mjs": "import fs from 'fs'; fs.writeFileSync(" + quote(ran+"/extension@") + ", 'x')",
		".github/extensions/e/package.json":  `{"name":"e","main":"extension.mjs"}`,
		".github/plugin/plugin.json":         `{"name":"p","version":"1.0.0","description":"MARK-PLUGIN","hooks":"./hooks.json"}`,
		".claude-plugin/plugin.json":         `{"name":"p","version":"1.0.0","description":"MARK-PLUGIN","hooks":"./hooks.json"}`,
	} {
		path := filepath.Join(w.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"config", "core.fsmonitor", touch("fsmonitor")}, {"config", "core.pager", touch("pager")},
		{"config", "remote.origin.url", "https://github.com/o/r"}} {
		c := exec.Command("git", args...)
		c.Dir = w.dir
		if out, err := c.CombinedOutput(); err != nil {
			w.t.Fatalf("git %s: %v %s", args, err, out)
		}
	}
}
