package mcptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// hostile are servers that break the protocol, by their kinds: what they do instead of answering a request, or nil for an answer that is
// none. Each greets like any other.
var hostile = map[string]func(say func(any), id json.RawMessage, method string){
	// hangs never lists its tools.
	"hangs": func(func(any), json.RawMessage, string) {},
	// pages lists its tools on pages without end, none of which has one.
	"pages": func(say func(any), id json.RawMessage, method string) {
		if method == "tools/list" {
			say(reply(id, map[string]any{"tools": []any{}, "nextCursor": fmt.Sprint(time.Now().UnixNano())}))
		}
	},
	// line never ends its first line.
	"line": func(func(any), json.RawMessage, string) {
		for chunk := strings.Repeat("x", 1<<20); ; {
			if _, err := os.Stdout.WriteString(chunk); err != nil {
				os.Exit(1)
			}
		}
	},
	// garbage prints what is no message.
	"garbage": func(func(any), json.RawMessage, string) { fmt.Println("Listening on port 3000") },
	// lies says that its tools are a number.
	"lies": func(say func(any), id json.RawMessage, _ string) { say(reply(id, map[string]any{"tools": 7})) },
	// storm lists one tool, says all the time that its tools have changed, and reports progress of calls without end.
	"storm": func(say func(any), id json.RawMessage, method string) {
		switch method {
		case "tools/list":
			say(reply(id, map[string]any{"tools": []any{map[string]any{"name": "echo", "inputSchema": map[string]any{"type": "object"}}}}))
			say(map[string]any{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
		case "tools/call":
			for n := 1; ; n++ {
				say(map[string]any{"jsonrpc": "2.0", "method": "notifications/progress", "params": map[string]any{"progressToken": "1", "progress": n, "message": "on"}})
				time.Sleep(time.Millisecond)
			}
		}
	},
	// dies ends in the middle of a call.
	"dies in a call": func(say func(any), id json.RawMessage, method string) {
		switch method {
		case "tools/list":
			say(reply(id, map[string]any{"tools": []any{map[string]any{"name": "echo", "inputSchema": map[string]any{"type": "object"}}}}))
		case "tools/call":
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(3)
		}
	},
	// lies in a call gives a result that is no result.
	"lies in a call": func(say func(any), id json.RawMessage, method string) {
		switch method {
		case "tools/list":
			say(reply(id, map[string]any{"tools": []any{map[string]any{"name": "echo", "inputSchema": map[string]any{"type": "object"}}}}))
		case "tools/call":
			say(reply(id, map[string]any{"content": "words", "isError": "perhaps"}))
		}
	},
}

func reply(id json.RawMessage, result any) any {
	return map[string]any{"jsonrpc": "2.0", "id": id, "result": result}
}

// serveHostile serves over standard input and output until the input ends.
func serveHostile(does func(say func(any), id json.RawMessage, method string)) {
	say := func(v any) {
		data, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		if _, err := os.Stdout.Write(append(data, '\n')); err != nil {
			os.Exit(1)
		}
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Version string `json:"protocolVersion"`
			} `json:"params"`
		}
		switch err := json.Unmarshal(lines.Bytes(), &m); {
		case err != nil || len(m.ID) == 0:
		case m.Method == "initialize":
			say(reply(m.ID, map[string]any{"protocolVersion": m.Params.Version, "capabilities": map[string]any{"tools": map[string]any{"listChanged": true}},
				"serverInfo": map[string]any{"name": "hostile", "version": "1"}}))
		default:
			does(say, m.ID, m.Method)
		}
	}
}
