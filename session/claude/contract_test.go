//go:build contract

package claude

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/copilot"
	"parley/copilot/copilottest"
	"parley/proxy"
	"parley/session"
)

// runtimes are the real ones that are driven: the oldest supported, which is a script for node, and a native one.
var runtimes = []struct {
	name string
	argv func(dir string) []string
}{
	{"sdk-0.2.112", func(dir string) []string {
		return []string{"node", filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-agent-sdk", "cli.js")}
	}},
	{"native", func(dir string) []string {
		return []string{filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-linux-x64", "claude")}
	}},
}

// scenario is one conversation: what the simulated model says is in testdata/scenarios.yaml, matched by the prompt.
type scenario struct {
	name, prompt string
	allow        bool // answer to requests for permission
	interrupt    bool // as soon as text has come
	unordered    bool // things happen at once: compare what, not when
}

var scenarios = []scenario{
	{name: "text", prompt: "scenario text"},
	{name: "read", prompt: "scenario read", allow: true},
	{name: "parallel", prompt: "scenario parallel", allow: true, unordered: true},
	{name: "edit", prompt: "scenario edit", allow: true},
	{name: "bash", prompt: "scenario bash", allow: true},
	{name: "denied", prompt: "scenario denied"},
	{name: "failing", prompt: "scenario failing", allow: true},
	{name: "midstream", prompt: "scenario midstream"},
	{name: "quota", prompt: "scenario quota"},
	{name: "agent", prompt: "scenario agent", allow: true},
	{name: "interrupt", prompt: "scenario interrupt", interrupt: true},
}

// TestContractClaudeRuntimes runs every scenario on the real runtimes, through our proxy and the simulated Copilot, and
// compares what the mapper makes of it with the recorded fixtures. With -update it records them.
func TestContractClaudeRuntimes(t *testing.T) {
	dir := installRuntimes(t)
	for _, rt := range runtimes {
		for _, sc := range scenarios {
			t.Run(rt.name+"/"+sc.name, func(t *testing.T) {
				t.Parallel()
				lines := record(t, rt.argv(dir), sc)
				fixture := filepath.Join("testdata", rt.name, sc.name+".jsonl")
				if *update {
					if err := os.MkdirAll(filepath.Dir(fixture), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(fixture, lines, 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				want, err := os.ReadFile(fixture)
				if err != nil {
					t.Fatal(err)
				}
				got := replay(t, lines)
				if err := checkOrder(got); err != nil {
					t.Error(err)
				}
				g, w := outline(got), outline(replay(t, want))
				if sc.unordered {
					slices.Sort(g)
					slices.Sort(w)
				}
				if !slices.Equal(g, w) {
					t.Errorf("events changed\n got %s\nwant %s\n%s", strings.Join(g, " "), strings.Join(w, " "), lines)
				}
			})
		}
	}
}

// outline names the events in order, with repeated ones once, so that chunking and timing do not matter.
func outline(events []session.Event) []string {
	var names []string
	for _, e := range events {
		name := session.EventType(e)
		if ended, ok := e.(session.ToolEnded); ok {
			name += ":" + string(ended.Outcome)
		}
		if ended, ok := e.(session.TurnEnded); ok {
			name += ":" + string(ended.Outcome)
		}
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}

// installRuntimes installs the pinned runtimes with npm.
func installRuntimes(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", "runtimes", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	return dir
}

// world is a simulated Copilot with our proxy before it.
func world(t *testing.T) (url, bearer string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "scenarios.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	script, err := copilottest.ParseScript(f, f.Name())
	if err != nil {
		t.Fatal(err)
	}
	sim, err := copilottest.Start(copilottest.Options{Script: script})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sim.Close() })
	client, err := copilot.New(copilot.Options{
		Credential:    copilot.Credential{Token: copilot.NewSecret(sim.Token()), Source: "test", Host: "github.com"},
		CopilotAPIURL: sim.CopilotURL(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	srv, err := proxy.Start(proxy.Options{Upstream: client})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close(context.Background()) })
	if bearer, err = srv.Open("contract"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			for _, r := range sim.Requests() {
				t.Logf("upstream saw %s %s: %d", r.Method, r.Path, r.Status)
			}
		}
	})
	return srv.URL(), bearer
}

// record drives one scenario and returns the scrubbed fixture.
func record(t *testing.T, argv []string, sc scenario) []byte {
	t.Helper()
	url, bearer := world(t)
	home := t.TempDir()
	project := filepath.Join(home, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(project, "hello.txt"), []byte("one\ntwo\nthree\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	argv = append(slices.Clone(argv), "--output-format", "stream-json", "--verbose", "--input-format", "stream-json",
		"--permission-prompt-tool", "stdio", "--include-partial-messages", "--setting-sources=", "--strict-mcp-config",
		"--model", "claude-sonnet-4-6")
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = project
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "SHELL=/bin/sh", "TMPDIR=" + home, "XDG_RUNTIME_DIR=" + home,
		"CLAUDE_CONFIG_DIR=" + filepath.Join(home, "config"), "CLAUDE_CODE_TMPDIR=" + home,
		"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_AUTH_TOKEN=" + bearer, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_ENTRYPOINT=sdk-go", "CLAUDE_CODE_MAX_RETRIES=0",
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h := host{t: t, in: in, sc: sc}
	h.send(map[string]any{"type": "control_request", "request_id": "init", "request": map[string]any{"subtype": "initialize"}})
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			h.line(bytes.TrimSpace(line))
		}
		if err != nil {
			break
		}
	}
	cmd.Wait() // the exit status says how the last turn ended, which the fixture says better
	if !h.done {
		t.Fatalf("no result; stderr: %s\n%s", stderr.Bytes(), h.out.Bytes())
	}
	return scrub(h.out.Bytes(), home, bearer, url)
}

// host answers the runtime as a driver would and writes down what happens.
type host struct {
	t    *testing.T
	in   interface{ Write([]byte) (int, error) }
	sc   scenario
	out  bytes.Buffer
	done bool
	cut  bool
}

func (h *host) send(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		h.t.Fatal(err)
	}
	h.in.Write(append(b, '\n')) // a runtime that is gone shows as a missing result
}

func (h *host) note(n note) {
	b, err := json.Marshal(n)
	if err != nil {
		h.t.Fatal(err)
	}
	h.out.Write(append(b, '\n'))
}

func (h *host) line(b []byte) {
	var l line
	if err := json.Unmarshal(b, &l); err != nil {
		h.t.Fatalf("not JSON: %v: %s", err, b)
	}
	if l.Type == "control_response" {
		if bytes.Contains(b, []byte(`"init"`)) {
			h.note(note{Host: "begin", Turn: "turn-1", Prompt: h.sc.prompt})
			h.send(map[string]any{"type": "user", "session_id": "", "parent_tool_use_id": nil,
				"message": map[string]any{"role": "user", "content": h.sc.prompt}})
		}
		return
	}
	h.out.Write(append(slices.Clone(b), '\n'))
	switch l.Type {
	case "control_request":
		h.answer(l)
	case "stream_event":
		if h.sc.interrupt && !h.cut && bytes.Contains(l.Event, []byte("text_delta")) {
			h.cut = true
			h.send(map[string]any{"type": "control_request", "request_id": "stop", "request": map[string]any{"subtype": "interrupt"}})
		}
	case "result":
		h.done = true
		if c, ok := h.in.(interface{ Close() error }); ok {
			c.Close()
		}
	}
}

func (h *host) answer(l line) {
	var r request
	if err := json.Unmarshal(l.Request, &r); err != nil {
		h.t.Fatal(err)
	}
	reply := map[string]any{"behavior": "deny", "message": "Use another way."}
	if h.sc.allow {
		reply = map[string]any{"behavior": "allow", "updatedInput": r.Input}
	}
	h.note(note{Host: "answered", Ask: session.AskID(l.RequestID), Allow: h.sc.allow})
	h.send(map[string]any{"type": "control_response", "response": map[string]any{"subtype": "success", "request_id": l.RequestID, "response": reply}})
}

var (
	uuids   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	ids     = regexp.MustCompile(`\b(msg|toolu|req)_[A-Za-z0-9_]+`)
	numbers = regexp.MustCompile(`"(duration_ms|duration_api_ms|ttft_ms|time_to_request_ms|totalDurationMs|durationMs|total_cost_usd|costUSD|pid|api_duration_ms|total_duration_ms)":[0-9.e-]+`)
	stamps  = regexp.MustCompile(`"(timestamp|date)":"[^"]*"`)
	notSlug = regexp.MustCompile(`[^A-Za-z0-9]`) // what the runtime replaces in the names of its project folders
	agents  = regexp.MustCompile(`"(task_id|agentId|agent_id)":"([^"]+)"`)
)

// scrub makes a recording the same on every machine and every time: paths, ids, secrets, times.
func scrub(b []byte, home, bearer, url string) []byte {
	s := string(b)
	for _, r := range [][2]string{
		{home, "/home/user"}, {notSlug.ReplaceAllString(home, "-"), "-home-user"}, {bearer, "secret.session"}, {url, "http://127.0.0.1:1"},
	} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	s = numbers.ReplaceAllString(s, `"$1":1`)
	s = stamps.ReplaceAllString(s, `"$1":"2026-01-01T12:00:00.000Z"`)
	seen := map[string]string{}
	stable := func(format string) func(string) string {
		return func(id string) string {
			if seen[id] == "" {
				seen[id] = fmt.Sprintf(format, len(seen)+1)
			}
			return seen[id]
		}
	}
	s = uuids.ReplaceAllStringFunc(s, stable("00000000-0000-4000-8000-%012d"))
	s = ids.ReplaceAllStringFunc(s, func(id string) string {
		kind, _, _ := strings.Cut(id, "_")
		return stable(kind + "_%02d")(id)
	})
	for _, m := range agents.FindAllStringSubmatch(s, -1) {
		s = strings.ReplaceAll(s, m[2], stable("agent%02d")(m[2]))
	}
	return []byte(s)
}
