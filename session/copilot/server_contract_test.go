//go:build contract && unix

package copilot

import (
	"bufio"
	"encoding/json"
	"os"
)

// serverVariable makes the test binary an MCP server.
const serverVariable = "PARLEY_TEST_MCP"

func init() {
	if os.Getenv(serverVariable) != "" {
		serveTools()
		os.Exit(0)
	}
}

// serveTools is an MCP server with the tools look, which calls itself harmless, act, form and page.
func serveTools() {
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	in.Buffer(nil, 1<<20)
	type message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	read := func() (m message) {
		if !in.Scan() {
			os.Exit(0)
		}
		_ = json.Unmarshal(in.Bytes(), &m)
		return m
	}
	type object = map[string]any
	reply := func(m message, result any) { _ = out.Encode(object{"jsonrpc": "2.0", "id": m.ID, "result": result}) }
	schema := object{"type": "object", "properties": object{"x": object{"type": "integer"}}}
	for {
		m := read()
		switch m.Method {
		case "initialize":
			var p struct{ ProtocolVersion string }
			_ = json.Unmarshal(m.Params, &p)
			reply(m, object{"protocolVersion": p.ProtocolVersion, "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "t", "version": "1"}})
		case "tools/list":
			reply(m, object{"tools": []object{{"name": "look", "description": "looks", "inputSchema": schema, "annotations": object{"readOnlyHint": true}},
				{"name": "act", "description": "acts", "inputSchema": schema}, {"name": "form", "description": "asks", "inputSchema": schema},
				{"name": "page", "description": "asks", "inputSchema": schema}}})
		case "tools/call":
			var p struct{ Name string }
			_ = json.Unmarshal(m.Params, &p)
			text := "did " + p.Name
			asks := object{"message": "Who?", "requestedSchema": object{"type": "object", "properties": object{"name": object{"type": "string"}, "n": object{"type": "integer"}}}}
			if p.Name == "page" {
				asks = object{"mode": "url", "message": "Sign in", "url": "https://example.com/x", "elicitationId": "e1"}
			}
			if p.Name == "form" || p.Name == "page" {
				_ = out.Encode(object{"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": asks})
				a := read()
				text = "answer " + string(a.Result) + string(a.Error)
			}
			reply(m, object{"content": []object{{"type": "text", "text": text}}})
		default:
			if len(m.ID) > 0 && m.Method != "" {
				reply(m, object{})
			}
		}
	}
}
