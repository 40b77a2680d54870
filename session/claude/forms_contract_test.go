//go:build contract

package claude

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// formsVariable makes this test binary an MCP server and names the file of its log.
const formsVariable = "PARLEY_TEST_FORMS"

func init() {
	if heard := os.Getenv(formsVariable); heard != "" {
		f := forms{heard: heard, waiting: map[string]json.RawMessage{}}
		f.serve()
		os.Exit(0)
	}
}

// forms is an MCP server, spoken to over its standard streams, whose tools ask the user something. The tool gate wants a
// page opened first and says so with an error, as revision 2025-11-25 of the protocol has it; called again, it lets pass.
type forms struct {
	opened  bool // the gate
	heard   string
	next    int                        // number of the newest question
	waiting map[string]json.RawMessage // calls that wait for an answer, by the question's id
}

// rpc is the part of a JSON-RPC message that the server needs.
type rpc struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// questions are what the tools ask, by their names.
var questions = map[string]string{
	"form": `{"message":"Who are you?","requestedSchema":{"type":"object","required":["name","colour"],"properties":{` +
		`"name":{"type":"string","title":"Name","minLength":2},` +
		`"colour":{"type":"string","enum":["red","blue"],"default":"blue"},` +
		`"age":{"type":"integer","minimum":1,"default":30},` +
		`"sure":{"type":"boolean"},` +
		`"weight":{"type":"number","minimum":0.5,"maximum":9.5},` +
		`"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},` +
		`"old":{"type":"string","enum":["a","b"],"enumNames":["Alpha","Beta"]},` +
		`"days":{"type":"array","minItems":1,"items":{"type":"string","enum":["mon","tue","wed"]},"default":["mon"]},` +
		`"tags":{"type":"array","items":{"anyOf":[{"const":"x","title":"Ex"},{"const":"y","title":"Why"}]}}}}}`,
	"link": `{"mode":"url","message":"Sign in","url":"https://example.com/sign-in","elicitationId":"e-1"}`,
}

func (f *forms) serve() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		var m rpc
		if json.Unmarshal(line, &m) == nil {
			f.take(line, m)
		}
		if err != nil {
			return
		}
	}
}

func (f *forms) take(line []byte, m rpc) {
	switch m.Method {
	case "initialize":
		f.note(line)
		var p struct {
			Version string `json:"protocolVersion"`
		}
		_ = json.Unmarshal(m.Params, &p)
		f.reply(m.ID, map[string]any{"protocolVersion": p.Version, "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": "forms", "version": "1"}})
	case "tools/list":
		tools := []any{}
		for _, name := range []string{"form", "link", "gate"} {
			tools = append(tools, map[string]any{"name": name, "description": "Asks the user.",
				"inputSchema": map[string]any{"type": "object", "properties": map[string]any{}}})
		}
		f.reply(m.ID, map[string]any{"tools": tools})
	case "tools/call":
		f.note(line)
		var p struct {
			Name string `json:"name"`
		}
		_ = json.Unmarshal(m.Params, &p)
		if p.Name == "gate" {
			f.gate(m.ID)
			return
		}
		f.next++
		id := fmt.Sprintf("q-%d", f.next)
		f.waiting[id] = m.ID
		f.say(map[string]any{"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": json.RawMessage(questions[p.Name])})
	case "":
		f.note(line)
		f.answered(m)
	default:
		f.note(line)
		if m.ID != nil {
			f.reply(m.ID, map[string]any{})
		}
	}
}

// gate answers a call of the tool gate.
func (f *forms) gate(call json.RawMessage) {
	if f.opened {
		f.reply(call, map[string]any{"content": []any{map[string]any{"type": "text", "text": "the gate is open"}}})
		return
	}
	f.opened = true
	f.say(map[string]any{"jsonrpc": "2.0", "id": call, "error": map[string]any{"code": -32042, "message": "open the page first",
		"data": map[string]any{"elicitations": []any{json.RawMessage(questions["link"])}}}})
}

// answered returns what the user said, or why there was nothing, to the tool's caller.
func (f *forms) answered(m rpc) {
	var id string
	_ = json.Unmarshal(m.ID, &id)
	call, ok := f.waiting[id]
	if !ok {
		return
	}
	delete(f.waiting, id)
	text := string(m.Result)
	if m.Error != nil {
		text = string(m.Error)
	}
	f.reply(call, map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
}

func (f *forms) reply(id json.RawMessage, result any) {
	f.say(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

func (f *forms) say(m any) {
	line, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(append(line, '\n'))
}

// note logs what the server receives.
func (f *forms) note(line []byte) {
	file, err := os.OpenFile(f.heard, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	file.Write(line)
}

// useForms has the runtime start the server, as one that the repository brings along and the user trusts.
func (w *whole) useForms() (heard string) {
	w.t.Helper()
	heard = filepath.Join(w.home, "heard.jsonl")
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"forms": map[string]any{
		"command": os.Args[0], "args": []string{}, "env": map[string]string{formsVariable: heard}}}})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, ".mcp.json"), config, 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.agent.o.Trusted = func(dir string) bool { return dir == w.dir }
	return heard
}
