//go:build contract

package claude

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"parley/copilot/sim/script"
	"parley/internal/lazyregexp"
)

// scenario is one conversation: what the simulated model says is in testdata/scenarios.yaml, matched by the prompt.
type scenario struct {
	name string
	// prompt is the first one, "scenario NAME" if empty. content makes one of blocks instead.
	prompt  string
	content func(h *host) any
	args    []string
	env     []string
	only    string // the one runtime that can do this, native: any that is a program
	deny    bool   // answer to requests for permission
	reply   func(h *host, r toolRequest) map[string]any
	// steps are taken one after the other; the scenario ends when all are and so many results have come.
	steps     []step
	setup     func(h *host) // before the process starts
	results   int
	unordered bool      // things happen at once: compare what, not when
	again     *scenario // a second process that resumes
}

// on reports whether a runtime can do this.
func (s scenario) on(runtime string) bool {
	return s.only == "" || s.only == runtime || s.only == native && runtime == newest
}

// files are what the project holds.
var files = map[string]string{
	"hello.txt": "one\ntwo\nthree\n",
	"note.ipynb": `{"cells":[{"cell_type":"code","id":"c1","metadata":{},"source":["print(1)"],"outputs":[],"execution_count":null}],` +
		`"metadata":{"language_info":{"name":"python"}},"nbformat":4,"nbformat_minor":5}`,
	"dot.png": string(dot),
}

// dot is a picture of one pixel.
var dot, _ = base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

const (
	old    = "sdk-0.2.112"
	native = "native"
	newest = "newest"
	idle   = `"state":"idle"`
)

func control(subtype string, fields map[string]any) func(*host) {
	return func(h *host) { h.control(subtype, fields) }
}

func steer(text, priority string) func(*host) { return func(h *host) { h.steer(text, priority) } }

// taken lets the model go on once the runtime has read everything that was sent before the request for mcp_status.
func taken(hold string) step {
	return step{on: `"host-mcp_status"`, do: func(h *host) { h.sim.Release(hold) }}
}

func next(text string) func(*host) { return func(h *host) { h.prompt(text) } }

// nextKept sends the next prompt once the last answer is in the runtime's own file, which it writes behind what it says:
// a process that is killed before cannot be resumed.
func nextKept(text string) func(*host) {
	return func(h *host) {
		h.kept()
		h.prompt(text)
	}
}

func allow(r toolRequest) map[string]any {
	return map[string]any{"behavior": "allow", "updatedInput": r.Input}
}

var retries = []string{"CLAUDE_CODE_MAX_RETRIES=3"}

var scenarios = []scenario{
	{name: "text"},
	{name: "read"},
	{name: "parallel", unordered: true},
	{name: "edit"},
	{name: "write"},
	{name: "notebook"},
	{name: "bash"},
	{name: "exitcode"},
	{name: "big"},
	{name: "denied", deny: true},
	{name: "failing"},
	{name: "unknown"},
	{name: "badinput"},
	{name: "search", only: old},
	{name: "todos", only: old},
	{name: "tasks", only: native},
	{name: "webfetch", deny: true},
	{name: "question", reply: func(h *host, r toolRequest) map[string]any {
		var in map[string]any
		json.Unmarshal(r.Input, &in)
		in["answers"] = map[string]any{"Which colour?": "Red", "Which sizes?": "Small, Large"}
		return map[string]any{"behavior": "allow", "updatedInput": in}
	}},
	{name: "unanswered", deny: true},
	{name: "plan", reply: func(h *host, r toolRequest) map[string]any {
		a := allow(r)
		if r.Tool == "ExitPlanMode" {
			a["updatedPermissions"] = []any{map[string]any{"type": "setMode", "mode": "acceptEdits", "destination": "session"}}
		}
		return a
	}},
	{name: "replan", args: []string{"--permission-mode", "plan"}, reply: func(h *host, r toolRequest) map[string]any {
		if r.Tool == "ExitPlanMode" {
			return map[string]any{"behavior": "deny", "message": "Think again."}
		}
		return allow(r)
	}},
	{name: "slow", unordered: true},
	{name: "background", results: 2, unordered: true},
	{name: "agent", unordered: true},
	{name: "agents", prompt: "scenario two colleagues", unordered: true},
	{name: "agentback", prompt: "scenario a colleague behind", unordered: true, steps: []step{
		{on: `"status":"completed"`}, {on: `"type":"result"`}}},
	{name: "agentdefault", prompt: "scenario unsaid", unordered: true, steps: []step{{on: `"status":"completed"`}, {on: `"type":"result"`}}},
	{name: "agentresumed", prompt: "scenario agent", only: native, unordered: true, steps: []step{{on: idle, do: goOn}, {on: `"task_notification"`}, {on: `"type":"result"`}}},
	{name: "agentresumedlater", prompt: "scenario agent", only: native, unordered: true, again: &scenario{prompt: "scenario text", unordered: true,
		steps: []step{{on: idle, do: goOn}, {on: `"task_notification"`}, {on: `"type":"result"`}}}},
	{name: "skill", unordered: true},
	{name: "compact", results: 4, steps: []step{{on: idle, do: next("scenario text")}, {on: idle, do: next("scenario read")},
		{on: idle, do: next("/compact")}}},
	{name: "context", prompt: "/context"},
	{name: "cost", prompt: "/cost"},
	{name: "clear", only: native, results: 3, steps: []step{{on: idle, do: next("/clear")}, {on: idle, do: next("scenario text")}}},
	{name: "retry", env: retries},
	{name: "cut", env: retries},
	{name: "midstream"},
	{name: "broken"},
	{name: "cutaftertool", prompt: "scenario inputless", env: retries},
	{name: "cutinput", prompt: "scenario dripping", env: retries, setup: func(h *host) {
		h.inject(script.Fault{Kind: script.FaultCut, After: 9, Text: "dripping"})
	}},
	{name: "overloaded"},
	{name: "quota"},
	{name: "auth"},
	{name: "toolong"},
	{name: "maxturns", args: []string{"--max-turns", "1"}},
	{name: "refusal"},
	{name: "maxtokens"},
	{name: "empty"},
	{name: "interrupt", steps: []step{{on: "text_delta", do: control("interrupt", nil)}}},
	{name: "interrupttool", steps: []step{{on: `"can_use_tool"`}, {on: `"host-set_permission_mode"`, do: control("interrupt", nil)}},
		reply: func(h *host, r toolRequest) map[string]any {
			// The answer to a later request proves that the permission has arrived.
			defer h.control("set_permission_mode", map[string]any{"mode": "default"})
			return allow(r)
		}},
	{name: "interruptask", steps: []step{{on: `"can_use_tool"`, do: control("interrupt", nil)}},
		reply: func(*host, toolRequest) map[string]any { return nil }},
	{name: "steernext", steps: []step{{on: `"can_use_tool"`, do: steer("And be quick.", "")}}},
	{name: "steertail", results: 2, steps: []step{{on: "text_delta", do: func(h *host) {
		h.steer("scenario text", "next")
		h.control("mcp_status", nil)
	}}, taken("tail")}},
	{name: "steerlater", results: 2, steps: []step{{on: `"can_use_tool"`, do: steer("scenario text", "later")}}},
	{name: "steernow", results: 2, steps: []step{{on: "text_delta", do: steer("scenario text", "now")}}},
	{name: "steernowtool", results: 2, steps: []step{{on: `"can_use_tool"`}, {on: `"host-set_permission_mode"`, do: steer("scenario text", "now")}},
		reply: func(h *host, r toolRequest) map[string]any {
			defer h.control("set_permission_mode", map[string]any{"mode": "default"})
			return allow(r)
		}},
	{name: "merged", results: 2, steps: []step{{on: "text_delta", do: func(h *host) {
		h.steer("scenario text", "")
		h.steer("scenario text again", "")
		h.control("mcp_status", nil)
	}}, taken("merged")}},
	{name: "settings", results: 2, steps: []step{
		{on: idle, do: control("set_model", map[string]any{"model": "claude-haiku-4-5"})},
		{on: `"host-set_model"`, do: control("set_permission_mode", map[string]any{"mode": "acceptEdits"})},
		{on: `"host-set_permission_mode"`, do: next("scenario write")}}},
	// The model is changed while a call waits: what the next request of the turn asks for differs with the version.
	{name: "settingsturn", prompt: "scenario bash", reply: func(h *host, r toolRequest) map[string]any {
		defer h.control("set_model", map[string]any{"model": "claude-haiku-4-5"})
		return allow(r)
	}, results: 2, steps: []step{{on: `"host-set_model"`}, {on: idle, do: next("scenario text")}}},
	{name: "resume", prompt: "scenario text", steps: []step{{on: idle, do: nextKept("scenario resume")},
		{on: `"text_delta"`, do: (*host).die}}, again: &scenario{prompt: "scenario text"}},
	{name: "resumetool", prompt: "scenario text", steps: []step{{on: idle, do: nextKept("scenario resumetool")}},
		reply: func(h *host, r toolRequest) map[string]any { h.die(); return nil }, again: &scenario{prompt: "scenario text"}},
	{name: "hooks", args: []string{"--include-hook-events", "--settings",
		`{"hooks":{"PreToolUse":[{"matcher":"Read","hooks":[{"type":"command","command":"echo '{\"continue\":true}'"}]}],` +
			`"UserPromptSubmit":[{"hooks":[{"type":"command","command":"echo be polite"}]}],"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}`}},
	{name: "blocked", args: blockingHooks, prompt: "scenario text", results: 5, steps: []step{{on: idle, do: next("scenario blocked")},
		{on: idle, do: next("scenario stopped")}, {on: idle, do: next("scenario halted")}, {on: idle, do: next("scenario text")}}},
	{name: "blockedfirst", args: blockingHooks[1:], prompt: "scenario blocked", results: 2, steps: []step{{on: idle, do: next("scenario text")}}},
	{name: "blockedsteer", args: blockingHooks, prompt: "scenario steertail", results: 3, steps: []step{{on: "text_delta", do: func(h *host) {
		h.steer("scenario blocked", "next")
		h.control("mcp_status", nil)
	}}, taken("tail"), {on: idle, do: next("scenario text")}}},
	{name: "blockedsteertool", args: blockingHooks, prompt: "scenario unblocked", results: 2, steps: []step{
		{on: `"can_use_tool"`, do: steer("scenario blocked", "next")}, {on: idle, do: next("scenario text")}}},
	{name: "hookblocked", args: blockingHooks, unordered: true},
	{name: "image", content: func(h *host) any {
		return []any{
			map[string]any{"type": "text", "text": "scenario image"},
			map[string]any{"type": "image", "source": map[string]any{"type": "base64", "media_type": "image/png",
				"data": base64.StdEncoding.EncodeToString(dot)}},
		}
	}},
	{name: "mcp", args: []string{"--mcp-config", `{"mcpServers":{"tiny":{"command":` + quoted(os.Args[0]) + `,"args":[],"env":{"PARLEY_TEST_MCP":"1"}}}}`}},
	{name: "dontask", args: []string{"--permission-mode", "dontAsk"}},
}

// blockingHooks are hooks that block what they are asked about: prompts, by the exit status and in so many words, calls
// before they are made, likewise, and after.
var blockingHooks = []string{"--include-hook-events", "--settings", `{"hooks":{` +
	`"UserPromptSubmit":[{"hooks":[{"type":"command","command":"read line; case $line in *'scenario blocked'*) echo 'No such words here.' >&2; exit 2;; ` +
	`*'scenario stopped'*) echo '{\"decision\":\"block\",\"reason\":\"Stop at once.\"}';; *'scenario halted'*) echo '{\"continue\":false,\"stopReason\":\"Halt.\"}';; esac"}]}],` +
	`"PreToolUse":[{"matcher":"Read","hooks":[{"type":"command","command":"echo 'Not this file.' >&2; exit 2"}]},` +
	`{"matcher":"Bash","hooks":[{"type":"command","command":"echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"Not this command.\"}}'"}]}],` +
	`"PostToolUse":[{"matcher":"Write","hooks":[{"type":"command","command":"echo 'Written badly.' >&2; exit 2"}]}]}}`}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// With PARLEY_TEST_MCP the test binary is an MCP server over stdio with two tools: one that answers and one that fails.
func init() {
	if os.Getenv("PARLEY_TEST_MCP") != "1" {
		return
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Name    string `json:"name"`
				Version string `json:"protocolVersion"`
			} `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := `{}`
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":` + quoted(m.Params.Version) + `,"capabilities":{"tools":{}},"serverInfo":{"name":"tiny","version":"1"}}`
		case "tools/list":
			result = `{"tools":[{"name":"greet","description":"Greets.","inputSchema":{"type":"object","properties":{"who":{"type":"string"}}}},` +
				`{"name":"fail","description":"Fails.","inputSchema":{"type":"object"}}]}`
		case "tools/call":
			result = `{"content":[{"type":"text","text":"Hello from the server."},{"type":"image","data":"` +
				base64.StdEncoding.EncodeToString(dot) + `","mimeType":"image/png"}]}`
			if m.Params.Name == "fail" {
				result = `{"isError":true,"content":[{"type":"text","text":"The server will not."}]}`
			}
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
	os.Exit(0)
}

// goOn lets the model resume the child that has ended.
func goOn(h *host) {
	m := lazyregexp.New(`agentId: (\w+)`).FindSubmatch(h.out.Bytes())
	if m == nil {
		h.t.Fatalf("no child has ended: %s", h.out.Bytes())
	}
	h.prompt("scenario go on with " + string(m[1]))
}
