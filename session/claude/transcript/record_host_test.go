//go:build contract

package transcript_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"parley/internal/lazyregexp"
	"parley/session"
)

// host follows a talk: it answers the runtime as a driver would and writes down what happens.
type host struct {
	t       *testing.T
	c       *cabin
	in      io.WriteCloser
	tk      talk
	out     bytes.Buffer
	sent    int  // prompts
	told    bool // that a background task has ended
	stopped bool
	awaited bool // the command, by commanded
	killed  bool
	done    bool
	kill    func()
	answer  string // the id of the newest message at the top

	mu       sync.Mutex // guards all that changes
	awaiting sync.WaitGroup
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

// childID matches the id of a child that has ended, in the result of its call.
var childID = lazyregexp.New(`agentId: (\w+)`)

// prompt sends the next prompt, if there is one. CHILD in its words stands for the first child that has ended.
func (h *host) prompt() bool {
	if h.sent == len(h.tk.prompts) {
		return false
	}
	p := h.tk.prompts[h.sent]
	h.sent++
	id := uuid.NewString()
	text, _ := p.(string)
	if m := childID.FindSubmatch(h.out.Bytes()); m != nil && text != "" {
		text = strings.ReplaceAll(text, "CHILD", string(m[1]))
		p, h.told = text, false
	}
	if blocks, ok := p.([]any); ok {
		text, _ = blocks[0].(map[string]any)["text"].(string)
	}
	h.note(note{Host: "begin", Turn: session.TurnID(id), Prompt: text})
	h.say(id, p)
	return true
}

func (h *host) say(id string, content any) {
	h.send(map[string]any{"type": "user", "uuid": id, "session_id": "", "parent_tool_use_id": nil,
		"message": map[string]any{"role": "user", "content": content}})
}

func (h *host) hear(b []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var l heard
	if err := json.Unmarshal(b, &l); err != nil {
		h.t.Fatalf("not JSON: %v: %s", err, b)
	}
	if h.killed {
		return
	}
	if l.Type == "control_response" {
		switch {
		case bytes.Contains(b, []byte(`"init"`)):
			h.prompt()
		case bytes.Contains(b, []byte(`"steered"`)):
			h.letGo()
		}
		return
	}
	h.out.Write(append(slices.Clone(b), '\n'))
	switch {
	case l.Type == "control_request":
		h.reply(l)
	case l.Subtype == "task_notification":
		h.told = true
	case l.Type == "result":
		if h.tk.task && !h.told {
			return
		}
		if !h.prompt() {
			h.done = true
			h.awaiting.Go(h.leave)
		}
	case l.Type == "assistant" && l.Parent == "":
		h.answer = l.Message.ID
	case h.tk.interruptAt != "" && !h.stopped && bytes.Contains(b, []byte(h.tk.interruptAt)):
		h.interrupt()
	case h.duringCommand() && !h.awaited && bytes.Contains(b, []byte(`"type":"message_stop"`)):
		h.awaited = true
		h.awaiting.Go(h.commanded)
	}
}

// duringCommand reports whether there is something to do while a command runs.
func (h *host) duringCommand() bool { return h.tk.interruptCommand || h.tk.steer != "" || h.tk.kill }

// commanded does what is to be done while a command runs, once it does. The runtime may ask about it before.
func (h *host) commanded() {
	h.c.eventually(h.t, "the command to run", h.c.commandRuns)
	if h.tk.kill {
		h.c.eventually(h.t, "the call in the transcript", h.c.callStored)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.tk.interruptCommand:
		h.interrupt()
	case h.tk.steer != "":
		h.say(uuid.NewString(), h.tk.steer)
		// The answer to what is sent later proves that this has arrived.
		h.send(map[string]any{"type": "control_request", "request_id": "steered", "request": map[string]any{"subtype": "mcp_status"}})
	case h.tk.kill:
		h.killed = true
		h.kill()
	}
}

// leave ends the runtime's input once the transcript has its last answer: 2.1.112 may lose what it has not written by then.
func (h *host) leave() {
	h.mu.Lock()
	answer := h.answer
	h.mu.Unlock()
	if strings.HasPrefix(answer, "msg_") { // and not a text of the runtime's own
		h.c.eventually(h.t, "the answer in the transcript", func() bool { return h.c.stored(answer) })
	}
	h.in.Close()
}

// letGo ends the command that waits for it.
func (h *host) letGo() {
	if err := os.WriteFile(filepath.Join(h.c.project, "go"), nil, 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *host) interrupt() {
	h.stopped = true
	h.send(map[string]any{"type": "control_request", "request_id": "stop", "request": map[string]any{"subtype": "interrupt"}})
}

// heard is what the host has to understand of a line.
type heard struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	RequestID string `json:"request_id"`
	Parent    string `json:"parent_tool_use_id"`
	Message   struct {
		ID string `json:"id"`
	} `json:"message"`
	Request struct {
		Tool  string         `json:"tool_name"`
		Input map[string]any `json:"input"`
	} `json:"request"`
}

// reply answers a request of the runtime; questions get their first option.
func (h *host) reply(l heard) {
	answer := map[string]any{"behavior": "deny", "message": "Use another way."}
	if !h.tk.deny {
		if l.Request.Tool == "AskUserQuestion" {
			l.Request.Input["answers"] = map[string]any{"Which one?": "A"}
		}
		answer = map[string]any{"behavior": "allow", "updatedInput": l.Request.Input}
	}
	h.note(note{Host: "answered", Ask: session.AskID(l.RequestID), Allow: !h.tk.deny})
	h.send(map[string]any{"type": "control_response", "response": map[string]any{"subtype": "success", "request_id": l.RequestID,
		"response": answer}})
}
