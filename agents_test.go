package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/config"
)

// scriptRuntime makes what looks like a Claude Code runtime of that version and returns its directory.
func scriptRuntime(t *testing.T, version string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "claude-agent-sdk")
	for name, text := range map[string]string{
		"package.json": `{"name":"@anthropic-ai/claude-agent-sdk","version":"0.2.112","claudeCodeVersion":"` + version + `"}`,
		"cli.js":       "#!/usr/bin/env node\n",
	} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestChooseAgent(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "node"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, want, version string
		demo                bool
		agent, notice, err  string
		missing             bool
	}{
		{name: "auto without a runtime", want: "auto", agent: "builtin", missing: true},
		{name: "auto with one", want: "auto", version: "2.1.112", agent: "claude"},
		{name: "auto with a newer one", want: "auto", version: "9.9.9", agent: "claude", notice: "newer than"},
		{name: "auto with an older one", want: "auto", version: "2.0.1", err: "needs"},
		{name: "demo", want: "claude", version: "2.1.112", demo: true, agent: "builtin"},
		{name: "builtin", want: "builtin", version: "2.1.112", agent: "builtin"},
		{name: "claude without a runtime", want: "claude", err: "parley runtimes install claude"},
		{name: "one to come", want: "copilot", err: "--agent builtin"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := newApp(Process{Environ: []string{"PATH=" + bin}})
			a.cfg, a.paths = &config.Config{Agent: tc.want}, config.Paths{Cache: t.TempDir()}
			if tc.version != "" {
				a.cfg.Claude.Path = scriptRuntime(t, tc.version)
			}
			if tc.demo {
				a.demoToken = "demo"
			}
			got, err := a.chooseAgent(a.runtimes())
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if err != nil || got.name != tc.agent || (got.missing != "") != tc.missing || !strings.Contains(strings.Join(got.notices, " "), tc.notice) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestNoticeLine(t *testing.T) {
	if got := noticeLine("One thing", "", "another."); got != "One thing. another." {
		t.Error(got)
	}
	if noticeLine() != "" {
		t.Error("something of nothing")
	}
}
