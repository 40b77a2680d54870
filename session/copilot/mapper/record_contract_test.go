//go:build contract

package mapper_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/driver"
	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
	"parley/session/proc"
	"parley/session/runtimes/runtimestest"
)

// recordings are the folders of the recordings with the version of the runtime that makes them.
var recordings = map[string]string{"native": runtimestest.CopilotNative, "newest": runtimestest.CopilotHeadless}

// scenario is a conversation that is recorded.
type scenario struct {
	name   string
	deny   bool
	events func(h *host)
}

// scenarios are recorded with every runtime.
var scenarios = []scenario{
	{name: "text", events: prompts("text")},
	{name: "bash", events: prompts("bash", "exitcode")},
	{name: "denied", deny: true, events: prompts("bash")},
	{name: "big", events: prompts("big")},
	{name: "files", events: prompts("create", "edit")},
	{name: "search", events: prompts("search")},
	{name: "todos", events: prompts("todo")},
	{name: "ask", events: prompts("ask")},
	{name: "client", events: prompts("client")},
	{name: "task", events: prompts("task")},
	{name: "parallel", events: prompts("ptask")},
	{name: "nested", events: prompts("ntask")},
	{name: "custom", events: prompts("ctask")},
	{name: "behind", events: prompts("btask")},
	{name: "shell", events: func(h *host) {
		h.prompt("t1", "scenario bgbash")
		h.settle("assistant.turn_end", 3) // the turn about the end of the command may begin after it was idle
	}},
	{name: "quota", events: prompts("quota")},
	{name: "auth", events: prompts("auth")},
	{name: "bad", events: prompts("bad")},
	{name: "cut", events: prompts("cut")},
	{name: "server", events: prompts("server")},
	{name: "stop", events: func(h *host) {
		h.send("t1", "scenario hold", "enqueue")
		h.await("assistant.message_delta", 1)
		h.call("session.abort", nil)
		h.await("session.idle", 1)
		h.prompt("t2", "scenario text")
	}},
	{name: "stopcall", events: func(h *host) {
		h.send("t1", "scenario sleep", "enqueue")
		h.await("tool.execution_partial_result", 1)
		h.call("session.abort", nil)
		h.await("session.idle", 1)
	}},
	{name: "steer", events: func(h *host) {
		h.send("t1", "scenario steer", "enqueue")
		h.await("tool.execution_start", 1)
		h.send("p2", "and more", "immediate")
		h.await("session.idle", 1)
	}},
	{name: "settings", events: func(h *host) {
		h.prompt("t1", "scenario text")
		h.call("session.mode.set", map[string]any{"mode": "plan"})
		h.call("session.model.switchTo", map[string]any{"modelId": "claude-opus-4.6", "reasoningEffort": "high"})
		h.prompt("t2", "scenario plan")
	}},
	{name: "compact", events: func(h *host) {
		h.prompt("t1", "scenario text")
		h.prompt("t2", "scenario bash")
		h.call("session.history.compact", nil)
		h.prompt("t3", "scenario text")
	}},
}

// prompts sends one prompt after the other.
func prompts(names ...string) func(h *host) {
	return func(h *host) {
		for i, name := range names {
			h.prompt("t"+string(rune('1'+i)), "scenario "+name)
		}
	}
}

// TestContractRecorded runs every scenario on the real runtimes against the simulated Copilot, and compares the session that
// its events make with the recorded one. With -update it records them.
func TestContractRecorded(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for folder, version := range recordings {
		if !runtimestest.Drives(version) {
			continue
		}
		t.Run(version, func(t *testing.T) {
			r := start(t, runtimestest.Copilot(t, dir, version))
			for i, sc := range scenarios {
				t.Run(sc.name, func(t *testing.T) { r.compare(t, filepath.Join("testdata", folder, sc.name), i, sc) })
			}
		})
	}
}

// compare compares a scenario with its recording, or replaces that.
func (p process) compare(t *testing.T, path string, n int, sc scenario) {
	if *update {
		lines := p.record(t, n, sc)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".jsonl", lines, 0o644); err != nil {
			t.Fatal(err)
		}
		golden(t, path+".golden", picture(t, split(t, lines)))
		return
	}
	want, err := os.ReadFile(path + ".golden")
	if err != nil {
		t.Fatal(err)
	}
	got := picture(t, split(t, p.record(t, n, sc)))
	if d := cmp.Diff(anyOrder(string(want)), anyOrder(got)); d != "" {
		t.Errorf("the session changed (-recorded +now)\n%s\nnow:\n%s", d, got)
	}
}

var (
	block    = regexp.MustCompile(`(?m)^\S.*\n(?:(?:  .*)?\n)*`)
	indented = regexp.MustCompile(`(?m)^  `)
	begun    = regexp.MustCompile(`(?m)^(.)`)
)

// anyOrder sorts the calls and children of a picture that stand next to each other, with all that is indented below them: they
// run at the same time, and come in any order.
func anyOrder(picture string) string {
	blocks := block.FindAllString(strings.TrimRight(picture, "\n")+"\n", -1)
	atOnce := func(b string) bool { return strings.HasPrefix(b, "call ") || strings.HasPrefix(b, "child ") }
	for i, from := 0, 0; i < len(blocks); i++ {
		if head, below, _ := strings.Cut(blocks[i], "\n"); strings.TrimSpace(below) != "" {
			blocks[i] = head + "\n" + begun.ReplaceAllString(anyOrder(indented.ReplaceAllString(below, "")), "  $1")
		}
		if !atOnce(blocks[i]) {
			from = i + 1
		}
		slices.Sort(blocks[from : i+1])
	}
	return strings.Join(blocks, "")
}

// process is a running runtime.
type process struct {
	client *driver.Client
	home   string
}

// start starts a runtime that asks the simulated Copilot.
func start(t *testing.T, argv []string) process {
	text, err := os.Open(filepath.Join("testdata", "scenarios.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	says, err := script.Parse(text, "scenarios.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sim, err := sim.Start(sim.Options{Script: says})
	if err != nil {
		t.Fatal(err)
	}
	group := proc.New(proc.Options{})
	home := t.TempDir()
	client, err := driver.Start(t.Context(), driver.Options{Argv: argv, Home: home, Dir: home, APIURL: sim.CopilotURL(), GitHubURL: sim.GitHubURL(),
		Token: func(context.Context) (string, error) { return sim.Token(), nil }, Environ: os.Environ(), Processes: group})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close(context.Background())
		group.Close()
		sim.Close()
	})
	return process{client, home}
}

// record runs a scenario and returns its live and its stored events without what differs from machine to machine.
func (p process) record(t *testing.T, n int, sc scenario) []byte {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hello.txt"), []byte("one\ntwo\nthree\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	h := &host{t: t, client: p.client, id: fmt.Sprintf("0a1b2c3d-0000-4000-8000-%012d", n), more: make(chan struct{}, 1)}
	h.open(ctx, dir, sc.deny)
	sc.events(h)
	h.call("session.destroy", nil) // the file is complete
	file, err := os.ReadFile(filepath.Join(p.home, "session-state", h.id, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return h.recording(file, dir, p.home)
}

// host drives one session of a runtime.
type host struct {
	t      *testing.T
	client *driver.Client
	id     string
	mu     sync.Mutex
	events []protocol.Event
	more   chan struct{}
}

// open creates the session.
func (h *host) open(ctx context.Context, dir string, deny bool) {
	schema := json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`)
	tools := []protocol.Tool{{Name: "get_weather", Description: "Returns the weather", Parameters: schema}}
	agents := []protocol.Agent{{Name: "reviewer", DisplayName: "Reviewer", Description: "reviews", Prompt: "You review.", Tools: &[]string{"view"}}}
	decision := dispatch.PermissionDecision{Kind: dispatch.ApproveOnce}
	if deny {
		decision = dispatch.PermissionDecision{Kind: dispatch.Reject, Feedback: "not now"}
	}
	h.client.Router().Add(h.id, dispatch.Session{Tools: tools, Agents: agents, Handlers: dispatch.Handlers{
		Event: h.note,
		Tool: func(context.Context, dispatch.ToolCall) protocol.ToolResult {
			return protocol.ToolResult{Text: "sunny", Type: "success"}
		},
		Permission: func(context.Context, dispatch.PermissionCall) dispatch.PermissionDecision { return decision },
		UserInput: func(context.Context, dispatch.UserInputCall) (dispatch.UserInputAnswer, error) {
			return dispatch.UserInputAnswer{Answer: "red"}, nil
		},
		ExitPlan: func(context.Context, dispatch.ExitPlanCall) dispatch.ExitPlanAnswer {
			return dispatch.ExitPlanAnswer{Approved: true, Action: "interactive"}
		},
	}})
	params := map[string]any{"sessionId": h.id, "clientName": "parley", "model": "claude-sonnet-4.6", "workingDirectory": dir,
		"streaming": true, "includeSubAgentStreamingEvents": true, "requestPermission": true, "requestUserInput": true,
		"requestExitPlanMode": true, "envValueMode": "direct", "tools": tools, "customAgents": agents}
	if err := h.client.Call(ctx, "session.create", params, nil); err != nil {
		h.t.Fatal(err)
	}
}

func (h *host) note(e protocol.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, e)
	select {
	case h.more <- struct{}{}:
	default:
	}
}

// count returns how many events of a type have come.
func (h *host) count(kind string) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		if e.Type == kind {
			n++
		}
	}
	return n
}

// await returns once so many events of a type have come.
func (h *host) await(kind string, n int) {
	h.t.Helper()
	limit := time.After(time.Minute)
	for h.count(kind) < n {
		select {
		case <-h.more:
		case <-limit:
			h.t.Fatalf("no %s", kind)
		}
	}
}

// settle returns once so many events of a type have come, and the session has been idle since the last of them.
func (h *host) settle(kind string, n int) {
	h.t.Helper()
	h.await(kind, n)
	limit := time.After(time.Minute)
	for !h.idleSince(kind) {
		select {
		case <-h.more:
		case <-limit:
			h.t.Fatalf("not idle after %s", kind)
		}
	}
}

// idleSince reports whether the session has been idle since the last event of a type.
func (h *host) idleSince(kind string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range slices.Backward(h.events) {
		if e.Type == "session.idle" || e.Type == kind {
			return e.Type != kind
		}
	}
	return false
}

func (h *host) call(method string, params map[string]any) {
	h.t.Helper()
	if params == nil {
		params = map[string]any{}
	}
	params["sessionId"] = h.id
	if err := h.client.Call(h.t.Context(), method, params, nil); err != nil {
		h.t.Fatalf("%s: %v", method, err)
	}
}

func (h *host) send(id, text, mode string) {
	h.t.Helper()
	h.call("session.send", map[string]any{"prompt": text, "mode": mode, "source": mapper.Source(id)})
}

// prompt sends a prompt and awaits the end of its turn.
func (h *host) prompt(id, text string) {
	h.t.Helper()
	n := h.count("session.idle")
	h.send(id, text, "enqueue")
	h.await("session.idle", n+1)
}

// noise are the types of events that are left out of recordings: long ones, and ones that come at any time.
var noise = regexp.MustCompile(`^(system\.message|model\.(m|t|response|call_start|call_fin).*|session\.(usage_.*|mcp_.*|tools_updated|skills_loaded|background_tasks_changed|managed_settings.*)|assistant\.streaming_delta|pending_messages\..*|prompt_cache_break|sandbox\..*|permission\..*|external_tool\..*|hook\..*)$`)

// machine matches what only one machine has.
var machine = regexp.MustCompile(`(/tmp|/var/folders)/[^"\\ ]*`)

// recording returns the live events, an empty line and the stored events.
func (h *host) recording(file []byte, dir, home string) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b bytes.Buffer
	usage := 0
	for _, e := range h.events {
		if e.Type == "assistant.usage" {
			usage++
		}
		if usage > 1 && e.Type == "assistant.usage" { // they are long
			continue
		}
		if !noise.MatchString(e.Type) {
			line, err := json.Marshal(e)
			if err != nil {
				h.t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
	}
	b.WriteByte('\n')
	for line := range bytes.Lines(file) {
		var e protocol.Event
		if err := json.Unmarshal(line, &e); err != nil {
			h.t.Fatal(err)
		}
		if !noise.MatchString(e.Type) {
			b.Write(line)
		}
	}
	text := strings.ReplaceAll(strings.ReplaceAll(b.String(), dir, "/repo"), home, "/home/user")
	return []byte(machine.ReplaceAllString(text, "/elsewhere/file"))
}

func TestAnyOrder(t *testing.T) {
	const one = "turn\n  text a\n  call x\n    more\n  child 2\n    call b\n    call a\n  child 1\n  text b\n  call w\nsettings"
	const other = "turn\n  text a\n  child 1\n  child 2\n    call a\n    call b\n  call x\n    more\n  text b\n  call w\nsettings"
	const moved = "turn\n  text a\n  text b\n  child 1\n  child 2\n    call a\n    call b\n  call x\n    more\n  call w\nsettings"
	if anyOrder(one) != anyOrder(other) || anyOrder(one) == anyOrder(moved) {
		t.Errorf("%s\n%s\n%s", anyOrder(one), anyOrder(other), anyOrder(moved))
	}
}
