package driver

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session/proc"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at it and run with -update\n%s", path, got)
	}
}

const (
	sessionA = "11111111-1111-4111-8111-111111111111"
	sessionB = "22222222-2222-4222-8222-222222222222"
)

// launches are the ways in which a runtime is started.
func launches() []struct {
	name string
	l    Launch
} {
	base := Launch{Program: []string{"claude"}, Dir: "/work", Session: sessionA, Model: "claude-sonnet-4.6",
		BaseURL: "http://127.0.0.1:1234", Bearer: "secretsecret.s1", TempDir: "/tmp/p1", Disallowed: []string{"WebSearch"}}
	with := func(f func(l *Launch)) Launch {
		l := base
		f(&l)
		return l
	}
	return []struct {
		name string
		l    Launch
	}{
		{"bare", Launch{Program: []string{"claude"}}},
		{"fresh", base},
		{"fresh with everything", with(func(l *Launch) {
			l.Dirs = []string{"/a", "/b c"}
			l.Effort, l.Mode, l.FallbackModel, l.Thinking = "high", "acceptEdits", "claude-haiku-4.5", "adaptive"
			l.HookEvents, l.AllowBypass, l.Disallowed = true, true, []string{"WebSearch", "WebFetch"}
		})},
		{"thinking budget", with(func(l *Launch) { l.Thinking = "8000" })},
		{"thinking off", with(func(l *Launch) { l.Thinking = "0" })},
		{"resume", with(func(l *Launch) { l.Resume = true })},
		{"rebuild at a message", with(func(l *Launch) { l.Resume, l.ResumeAt = true, "33333333-3333-4333-8333-333333333333" })},
		{"fork", with(func(l *Launch) { l.Resume, l.Fork, l.ForkSession = true, true, sessionB })},
		{"fork, any id", with(func(l *Launch) { l.Resume, l.Fork = true, true })},
		{"plan mode", with(func(l *Launch) { l.Mode = "plan" })},
		{"trusted", with(func(l *Launch) { l.Trusted, l.serversFile = true, "/tmp/p1/s.json" })},
		{"with servers of the user", with(func(l *Launch) { l.serversFile = "/tmp/p1/s.json" })},
		{"with servers of an administrator", with(func(l *Launch) { l.Managed, l.serversFile = true, "/tmp/p1/s.json" })},
		{"some tools only", with(func(l *Launch) { l.Trusted, l.Tools, l.NoServers = true, []string{"Read", "Grep"}, true })},
		{"no tools", with(func(l *Launch) { l.Tools = []string{} })},
		{"bypass", with(func(l *Launch) { l.Mode, l.AllowBypass = modeBypass, true })},
		{"root", with(func(l *Launch) { l.Root, l.AllowBypass = true, true })},
		{"root in a sandbox", with(func(l *Launch) {
			l.Root, l.Mode, l.AllowBypass, l.Environ = true, modeBypass, true, []string{"IS_SANDBOX=1"}
		})},
	}
}

func TestArgs(t *testing.T) {
	var b strings.Builder
	for _, c := range launches() {
		b.WriteString("# " + c.name + "\n" + strings.Join(Args(c.l), "\n") + "\n\n")
	}
	golden(t, "args.txt", b.String())
}

// However the runtime is started, it does not delete old sessions: the setting is a flag of that process, and no file of the user's.
func TestNoStartDeletesSessions(t *testing.T) {
	for _, c := range launches() {
		args := Args(c.l)
		i := slices.Index(args, "--settings")
		var s map[string]any
		if i < 0 || json.Unmarshal([]byte(args[i+1]), &s) != nil || s["cleanupPeriodDays"] != 3650.0 {
			t.Errorf("%s: %q", c.name, args)
		}
	}
}

func TestMayBypass(t *testing.T) {
	if !(Launch{}).MayBypass() || (Launch{Root: true}).MayBypass() || !(Launch{Root: true, Environ: []string{"IS_SANDBOX=1"}}).MayBypass() {
		t.Error("bypass is for others than root, and for root in a sandbox")
	}
}

func TestInitRequest(t *testing.T) {
	b, err := json.Marshal(initRequest(Launch{AppendSystem: "Be brief."}))
	if err != nil || string(b) != `{"appendSystemPrompt":"Be brief.","forwardSubagentText":true,`+
		`"hooks":{"PostToolUse":[{"hookCallbackIds":["after-tool"],"timeout":86400}],`+
		`"PostToolUseFailure":[{"hookCallbackIds":["after-tool"],"timeout":86400}],`+
		`"PreToolUse":[{"hookCallbackIds":["before-tool"],"onFailure":"block","timeout":86400}]}}` {
		t.Errorf("%s %v", b, err)
	}
}

// A custom agent without tools has an empty list, which means something else than none.
func TestInitRequestWithAgents(t *testing.T) {
	r := initRequest(Launch{FreshPrompt: true, Agents: map[string]AgentDefinition{
		"all": {Description: "d", Prompt: "p"}, "none": {Description: "d", Prompt: "p", NoTools: true}, "some": {Description: "d", Prompt: "p", Tools: []string{"Read"}}}})
	b, err := json.Marshal(r["agents"])
	if err != nil || string(b) != `{"all":{"description":"d","prompt":"p"},"none":{"description":"d","prompt":"p","tools":[]},`+
		`"some":{"description":"d","prompt":"p","tools":["Read"]}}` {
		t.Errorf("%s %v", b, err)
	}
	if r["systemPromptSnapshot"] != false {
		t.Error("the system prompt of the first launch is used again")
	}
}

// user is an environment as a user may have it, with all that must not reach the runtime.
var user = []string{
	"PATH=/usr/bin:/bin", "HOME=/home/u", "LANG=C.UTF-8", "SHELL=/bin/zsh", "TERM=xterm", "PWD=/elsewhere", "=odd", "noise",
	"ANTHROPIC_API_KEY=sk-ant-x", "ANTHROPIC_AUTH_TOKEN=other", "ANTHROPIC_BASE_URL=https://elsewhere.example",
	"ANTHROPIC_CUSTOM_HEADERS=X: y", "ANTHROPIC_MODEL=opus", "ANTHROPIC_UNIX_SOCKET=/x", "ANTHROPIC_NEW_THING=1",
	"CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_CODE_SESSION_ID=x", "CLAUDE_CODE_SSE_PORT=1", "CLAUDE_CODE_USE_BEDROCK=1",
	"CLAUDE_CODE_USE_VERTEX=1", "CLAUDE_CODE_OAUTH_TOKEN=x", "CLAUDE_CODE_API_BASE_URL=https://elsewhere.example", "CLAUDE_CODE_NEW_THING=1",
	"NODE_OPTIONS=--inspect", "BUN_OPTIONS=--preload x", "BUN_INSPECT=1", "DEBUG=*", "GITHUB_ACTIONS=true",
	"CLAUDE_CONFIG_DIR=/home/u/cc", "CLAUDE_CODE_MAX_OUTPUT_TOKENS=9000", "BASH_MAX_OUTPUT_LENGTH=5000", "BASH_DEFAULT_TIMEOUT_MS=1000",
	"CLAUDE_CODE_ENABLE_TELEMETRY=1", "OTEL_EXPORTER_OTLP_ENDPOINT=http://otel", "MCP_TIMEOUT=5", "NODE_EXTRA_CA_CERTS=/ca.pem",
	"COPILOT_GITHUB_TOKEN=gho_user", "GH_TOKEN=ghp_user", "GITHUB_TOKEN=ghp_user", "SSH_AUTH_SOCK=/s",
}

func TestEnviron(t *testing.T) {
	base := Launch{Dir: "/work", BaseURL: "http://127.0.0.1:1234", Bearer: "secretsecret.s1", TempDir: "/tmp/p1", Environ: user}
	own := base
	own.ConfigDir, own.SmallModel, own.PassEnv = "/own/config", "claude-haiku-4.5", []string{"GITHUB_TOKEN", "COPILOT_GITHUB_TOKEN"}
	own.Environ = append(slices.Clone(user), "XDG_RUNTIME_DIR=/run/user/1", "HTTPS_PROXY=http://proxy:8080", "NO_PROXY=.corp")
	var b strings.Builder
	for _, c := range []struct {
		name string
		l    Launch
	}{{"empty", Launch{}}, {"of a user", base}, {"own directories and a proxy", own}} {
		b.WriteString("# " + c.name + "\n" + strings.Join(Environ(c.l), "\n") + "\n\n")
	}
	golden(t, "environ.txt", b.String())
	if user[0] != "PATH=/usr/bin:/bin" {
		t.Error("changed what it was given")
	}
}

func TestNoProxyForUs(t *testing.T) {
	env := Environ(Launch{Environ: []string{"http_proxy=http://p"}, BaseURL: "http://127.0.0.2:1"})
	if upper, lower := proc.Lookup(env, "NO_PROXY"), proc.Lookup(env, "no_proxy"); upper != "127.0.0.2,localhost" || lower != upper {
		t.Error(env)
	}
}
