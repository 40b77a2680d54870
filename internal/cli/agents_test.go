package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/config"
	"parley/session/runtimes"
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

// copilotOnPath makes what looks like an installed Copilot CLI of a version and returns its directory. "another" makes
// another program of that name.
func copilotOnPath(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"copilot": "\x7fELF", "package.json": `{"name":"@github/copilot-linux-x64","version":"` + version + `"}`}
	switch version {
	case "":
		return dir
	case "another":
		files = map[string]string{"copilot": "#!/bin/sh\necho copilot version: v1.34.1\n"}
	}
	for name, text := range files {
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
		copilot             string // the version of the Copilot CLI on PATH
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
		{name: "copilot without a runtime", want: "copilot", version: "2.1.112", err: "parley runtimes install copilot"},
		{name: "copilot", want: "copilot", version: "2.1.112", copilot: "1.0.102", agent: "copilot"},
		{name: "auto with Copilot's only", want: "auto", copilot: "1.0.102", agent: "copilot"},
		{name: "auto with both", want: "auto", version: "2.1.112", copilot: "1.0.102", agent: "claude"},
		{name: "auto with an older Copilot", want: "auto", copilot: "1.0.1", agent: "builtin", notice: "passed over", missing: true},
		{name: "auto with another program called copilot", want: "auto", copilot: "another", agent: "builtin", notice: "another program", missing: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := newApp(Process{Environ: []string{"PATH=" + bin + string(filepath.ListSeparator) + copilotOnPath(t, tc.copilot)}})
			a.cfg, a.paths = &config.Config{Agent: tc.want}, config.Paths{Cache: t.TempDir()}
			if tc.version != "" {
				a.cfg.Claude.Path = scriptRuntime(t, tc.version)
			}
			if tc.demo {
				a.demo = &demo{}
			}
			got, err := chooseAgent(t.Context(), a, a.runtimes(), false)
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

// TestCopilotGetsTheHostOfItsToken wants the host of the login to win over GH_HOST, to which the runtime would send the token.
func TestCopilotGetsTheHostOfItsToken(t *testing.T) {
	a := newApp(Process{Environ: []string{"GH_HOST=elsewhere.example", "COPILOT_GH_HOST=elsewhere.example"}})
	a.cfg = &config.Config{GitHubHost: "acme.ghe.com", API: config.API{CAFile: "/ca.pem"}}
	got := copilotEnviron(a)
	if got[len(got)-2] != "COPILOT_GH_HOST=acme.ghe.com" || got[len(got)-1] != "NODE_EXTRA_CA_CERTS=/ca.pem" {
		t.Errorf("%q", got)
	}
	a.environ = append(a.environ, "NODE_EXTRA_CA_CERTS=/own.pem")
	if got := copilotEnviron(a); slices.Contains(got, "NODE_EXTRA_CA_CERTS=/ca.pem") {
		t.Errorf("%q", got)
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

// watchedContext tells when something is about to wait for it.
type watchedContext struct {
	context.Context
	waits func()
}

func (c watchedContext) Done() <-chan struct{} {
	c.waits()
	return c.Context.Done()
}

func TestNoLockWhileHoldingARuntime(t *testing.T) {
	s := &heldRuntimes{Runtimes: runtimes.New(runtimes.Options{Dir: t.TempDir()})}
	asked, free := 0, 0
	ctx := watchedContext{t.Context(), func() {
		asked++
		if s.mu.TryLock() {
			s.mu.Unlock()
			free++
		}
	}}
	rt := runtimes.Runtime{Name: "claude", Version: "2.1.112", Path: "/rt", Source: runtimes.SourceInstalled}
	if err := s.hold(ctx, rt); err == nil {
		t.Error("a runtime that is not there was held")
	}
	if asked == 0 || free != asked {
		t.Errorf("the lock was free %d of %d times", free, asked)
	}
	if len(s.held) != 0 || len(s.releases) != 0 {
		t.Errorf("what could not be held counts as held: %v", s.held)
	}
	rt.Source = runtimes.SourcePath
	for range 2 {
		if err := s.hold(t.Context(), rt); err != nil {
			t.Fatal(err)
		}
	}
	if !s.held["/rt"] || len(s.releases) != 1 {
		t.Errorf("held %v, %d times", s.held, len(s.releases))
	}
}
