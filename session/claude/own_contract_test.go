//go:build contract

package claude

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"parley/session/trust"
)

// ownServers has the user's own MCP servers loaded in a directory that is not trusted, from outside of it, while nothing of
// the directory runs. None of what the runtime starts gets a GitHub token that was not named.
func (w *whole) ownServers() {
	config := filepath.Join(w.home, ".claude.json")
	heard := filepath.Join(w.home, "heard.jsonl")
	w.agent.o.OwnServers = func(dir string) json.RawMessage { return trust.OwnServers(config, dir, w.home, nil) }
	w.agent.o.Environ = append(w.agent.o.Environ, "GH_TOKEN=withheld", "GITHUB_TOKEN=passed", "COPILOT_GITHUB_TOKEN=withheld")
	w.agent.o.PassEnv = []string{"GITHUB_TOKEN"}
	temp, err := os.MkdirTemp("", "own") // short: the runtime puts sockets into it
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { os.RemoveAll(temp) })
	w.agent.o.TempDir = temp
	ran := filepath.Join(w.home, "ran")
	w.file(config, map[string]any{"mcpServers": map[string]any{
		"forms": map[string]any{"command": "sh", "args": []string{"-c", `pwd > "$HOME/where"; env > "$HOME/env-server"; exec "$0"`, os.Args[0]},
			"env": map[string]string{formsVariable: heard}},
		"relative": map[string]any{"command": "./tool.sh", "args": []string{ran}},
	}})
	w.file(filepath.Join(w.home, ".claude", "settings.json"), map[string]any{"hooks": map[string]any{"UserPromptSubmit": []any{
		map[string]any{"hooks": []any{map[string]any{"type": "command", "command": `env > "$HOME/env-hook"`}}}}}})
	w.file(filepath.Join(w.dir, ".mcp.json"), map[string]any{"mcpServers": map[string]any{"theirs": map[string]any{"command": w.dir + "/tool.sh", "args": []string{ran}}}})
	if err := os.WriteFile(filepath.Join(w.dir, "tool.sh"), []byte("#!/bin/sh\ntouch \"$1\"\n"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.answers(always(yes))
	w.completes("tell the environment", "written")
	w.eventually("the server to be connected", func() bool {
		return strings.Contains(w.mcpStatus(), `"status":"connected"`)
	})
	if status := w.mcpStatus(); strings.Contains(status, "theirs") {
		w.t.Errorf("a server of the directory: %s", status)
	}
	if where, err := os.ReadFile(filepath.Join(w.home, "where")); err != nil || strings.TrimSpace(string(where)) != w.home {
		w.t.Errorf("the server runs in %q, %v", where, err)
	}
	if _, err := os.Stat(ran); err == nil {
		w.t.Error("something of the directory ran")
	}
	for _, of := range []string{"server", "hook", "tool"} {
		env, err := os.ReadFile(filepath.Join(w.home, "env-"+of))
		if err != nil || strings.Contains(string(env), "withheld") || !strings.Contains(string(env), "GITHUB_TOKEN=passed\n") {
			w.t.Errorf("the %s got %v\n%s", of, err, env)
		}
	}
	left, err := filepath.Glob(filepath.Join(temp, "parley-mcp-*"))
	if err != nil || len(left) > 0 {
		w.t.Errorf("left behind: %v, %v", left, err)
	}
}

// file writes a file of JSON.
func (w *whole) file(path string, v any) {
	w.t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		w.t.Fatal(err)
	}
}
