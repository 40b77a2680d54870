//go:build contract

package claude

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/copilot/sim/script"
	"parley/session"
)

// record drives one scenario and returns the scrubbed fixture. A scenario with a second life is driven by two processes.
func record(t *testing.T, argv []string, sc scenario) []byte {
	t.Helper()
	sim := simulate(t)
	// The folder's name has the same length every time: what is counted depends on it.
	home, err := os.MkdirTemp("", "parley")
	if err != nil {
		t.Fatal(err)
	}
	even := filepath.Join(filepath.Dir(home), fmt.Sprintf("parley-%016x", time.Now().UnixNano()))
	if err := os.Rename(home, even); err != nil {
		t.Fatal(err)
	}
	home = even
	t.Cleanup(func() { os.RemoveAll(home) })
	project := filepath.Join(home, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(project, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h := &host{t: t, sim: sim, sc: sc, home: home}
	if sc.setup != nil {
		sc.setup(h)
	}
	h.live(argv, home, sc.args)
	if sc.again != nil {
		h.note(note{Host: "spawn"})
		second := *sc.again
		second.name = sc.name
		h.sc, h.done, h.at, h.results = second, false, 0, 0
		h.live(argv, home, append(slices.Clone(second.args), "--resume", h.session))
	}
	return scrub(h.out.Bytes(), home, sim.bearer, sim.url)
}

// live runs one process from its handshake to its end.
func (h *host) live(argv []string, home string, extra []string) {
	t := h.t
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	argv = append(slices.Clone(argv), "--output-format", "stream-json", "--verbose", "--input-format", "stream-json",
		"--permission-prompt-tool", "stdio", "--include-partial-messages", "--setting-sources=", "--strict-mcp-config",
		"--replay-user-messages", "--model", "claude-sonnet-4-6")
	argv = append(argv, extra...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.WaitDelay = time.Second // a command in the background may hold the output open
	cmd.Dir = filepath.Join(home, "project")
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "SHELL=/bin/sh", "TMPDIR=" + home, "XDG_RUNTIME_DIR=" + home,
		"CLAUDE_CONFIG_DIR=" + filepath.Join(home, "config"), "CLAUDE_CODE_TMPDIR=" + home,
		"ANTHROPIC_BASE_URL=" + h.sim.url, "ANTHROPIC_AUTH_TOKEN=" + h.sim.bearer, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_ENTRYPOINT=sdk-go", "CLAUDE_CODE_MAX_RETRIES=0", "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1",
	}, h.sc.env...)
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
	h.in, h.kill = in, func() { cmd.Process.Kill() }
	h.send(map[string]any{"type": "control_request", "request_id": "init", "request": map[string]any{"subtype": "initialize"}})
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 && json.Valid(line) {
			h.line(line)
		}
		if err != nil {
			break
		}
	}
	cmd.Wait() // the exit status says how the last turn ended, which the fixture says better
	h.note(note{Host: "exit", Interrupted: false})
	if !h.done {
		t.Fatalf("the scenario did not come to its end, %d steps taken; stderr: %s\n%s", h.at, stderr.Bytes(), h.out.Bytes())
	}
}

// host answers the runtime as a driver would and writes down what happens.
type host struct {
	t       *testing.T
	sim     simulated
	in      io.WriteCloser
	kill    func()
	sc      scenario
	out     bytes.Buffer
	session string
	home    string
	at      int // steps taken
	turns   int // prompts sent
	results int // seen
	done    bool
}

// step is something the host does once a line contains a text.
type step struct {
	on string
	do func(h *host)
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

// inject has the next request fail.
func (h *host) inject(f script.Fault) {
	h.t.Helper()
	if err := h.sim.Inject(f); err != nil {
		h.t.Fatal(err)
	}
}

// prompt sends a prompt that opens a turn.
func (h *host) prompt(content any) {
	h.turns++
	id := fmt.Sprintf("11111111-1111-4111-8111-%012d", h.turns)
	text, _ := content.(string)
	h.note(note{Host: "begin", Turn: session.TurnID(id), Prompt: text})
	h.deliver(id, content, "")
}

// steer sends a prompt into the running turn.
func (h *host) steer(text, priority string) {
	h.turns++
	id := fmt.Sprintf("11111111-1111-4111-8111-%012d", h.turns)
	h.note(note{Host: "deliver", Turn: session.TurnID(id), Prompt: text})
	h.deliver(id, text, priority)
}

func (h *host) deliver(id string, content any, priority string) {
	m := map[string]any{"type": "user", "session_id": "", "parent_tool_use_id": nil, "uuid": id,
		"message": map[string]any{"role": "user", "content": content}}
	if priority != "" {
		m["priority"] = priority
	}
	h.send(m)
}

func (h *host) control(subtype string, fields map[string]any) {
	request := map[string]any{"subtype": subtype}
	for k, v := range fields {
		request[k] = v
	}
	if subtype == "interrupt" {
		h.note(note{Host: "interrupt"})
	}
	h.send(map[string]any{"type": "control_request", "request_id": "host-" + subtype, "request": request})
}

// kept returns once an answer is in the runtime's file. Only the file shows it.
func (h *host) kept() {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(h.home, "config", "projects", "*", h.session+".jsonl"))
		if err != nil {
			h.t.Fatal(err)
		}
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(`"type":"assistant"`)) {
				return
			}
		}
	}
	h.t.Fatal("the answer was not written to the runtime's file")
}

// die kills the process.
func (h *host) die() {
	h.done = true
	h.kill()
}

// finish ends the process in good order: nothing more will be said.
func (h *host) finish() {
	h.done = true
	h.in.Close()
}

// printed is the part of a line of the runtime that the host acts on.
type printed struct {
	Type      string          `json:"type"`
	SessionID string          `json:"session_id"`
	RequestID string          `json:"request_id"`
	Request   json.RawMessage `json:"request"`
}

// toolRequest is a request of the runtime to let a tool act.
type toolRequest struct {
	Subtype string          `json:"subtype"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"input"`
}

func (h *host) line(b []byte) {
	var l printed
	if err := json.Unmarshal(b, &l); err != nil {
		h.t.Fatalf("not as expected: %v: %s", err, b)
	}
	if l.Type == "control_response" {
		if bytes.Contains(b, []byte(`"init"`)) {
			switch {
			case h.sc.content != nil:
				h.prompt(h.sc.content(h))
			case h.sc.prompt != "":
				h.prompt(h.sc.prompt)
			default:
				h.prompt("scenario " + h.sc.name)
			}
		}
		h.advance(b)
		return
	}
	if l.SessionID != "" {
		h.session = l.SessionID
	}
	h.out.Write(append(slices.Clone(b), '\n'))
	if l.Type == "control_request" {
		h.answer(l)
	}
	if l.Type == "result" {
		h.results++
	}
	h.advance(b)
}

// advance takes the next step if this line is what it waits for, and ends the scenario after the last one.
func (h *host) advance(b []byte) {
	if h.done {
		return
	}
	if h.at < len(h.sc.steps) {
		if s := h.sc.steps[h.at]; strings.Contains(string(b), s.on) {
			h.at++
			if s.do != nil {
				s.do(h)
			}
		}
		return
	}
	if h.results >= max(1, h.sc.results) && bytes.Contains(b, []byte(`"session_state_changed"`)) && bytes.Contains(b, []byte(`"idle"`)) {
		h.finish()
	}
}

func (h *host) answer(l printed) {
	var r toolRequest
	if err := json.Unmarshal(l.Request, &r); err != nil {
		h.t.Fatal(err)
	}
	if r.Subtype != "can_use_tool" {
		h.send(map[string]any{"type": "control_response", "response": map[string]any{"subtype": "error", "request_id": l.RequestID, "error": "not supported"}})
		return
	}
	reply := map[string]any{"behavior": "allow", "updatedInput": r.Input}
	if h.sc.deny {
		reply = map[string]any{"behavior": "deny", "message": "Use another way."}
	}
	if h.sc.reply != nil {
		reply = h.sc.reply(h, r)
	}
	if reply == nil { // never answered: something else is going to happen
		return
	}
	h.note(note{Host: "answered", Ask: session.AskID(l.RequestID), Allow: reply["behavior"] == "allow"})
	h.send(map[string]any{"type": "control_response", "response": map[string]any{"subtype": "success", "request_id": l.RequestID, "response": reply}})
}
