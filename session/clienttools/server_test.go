package clienttools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// straight runs a tool as it is.
func straight(ctx context.Context, t session.ClientTool, c session.ClientCall) (session.ToolResult, error) {
	return t.Call(ctx, c)
}

// say returns the whole answer of a server to a message.
func say(s *Server, message string) string {
	reply, later := s.Handle(context.Background(), json.RawMessage(message), straight)
	if later != nil {
		reply = later()
	}
	out, err := json.Marshal(reply)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

func tool(name string, call func(ctx context.Context, c session.ClientCall) (session.ToolResult, error)) session.ClientTool {
	return session.ClientTool{Name: name, Description: "Does it.", Schema: []byte(`{"type":"object"}`), Call: call}
}

func TestServerAnswers(t *testing.T) {
	s := NewServer("1.2", []session.ClientTool{
		tool("echo", func(_ context.Context, c session.ClientCall) (session.ToolResult, error) {
			return session.ToolResult{Text: string(c.ID) + string(c.Input)}, nil
		}),
		tool("fails", func(context.Context, session.ClientCall) (session.ToolResult, error) {
			return session.ToolResult{}, errors.New("no")
		}),
		tool("panics", func(context.Context, session.ClientCall) (session.ToolResult, error) { panic("oh") }),
		tool("long", func(context.Context, session.ClientCall) (session.ToolResult, error) {
			return session.ToolResult{Text: strings.Repeat("é", maxResult)}, nil
		})})
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`:                                          `"id":0,"result":{"capabilities":{"tools":{}},"protocolVersion":"2025-11-25","serverInfo":{"name":"parley","version":"1.2"}}`,
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":7}`:                                                                         `"protocolVersion":"2025-06-18"`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                                                            `{"jsonrpc":"2.0","id":0,"result":{}}`,
		`{"jsonrpc":"2.0","id":"a","method":"ping"}`:                                                                                        `"id":"a","result":{}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`:                                                                                    `"inputSchema":{"type":"object"},"name":"echo"`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`:                                                                                `"error":{"code":-32601`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"a":1},"_meta":{"claudecode/toolUseId":"t1"}}}`: `"result":{"content":[{"type":"text","text":"t1{\"a\":1}"}]}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"fails"}}`:                                                          `{"content":[{"type":"text","text":"no"}],"isError":true}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"panics"}}`:                                                         `went wrong inside parley: oh`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"long"}}`:                                                           `[cut]`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"rm"}}`:                                                             `"error":{"code":-32602`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[]}`:                                                                        `"error":{"code":-32602`,
		`{`: `"id":null,"error"`,
		`7`: `"id":null,"error"`,
		`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 9999) + `","method":"ping"}`:               `"id":null,"error"`,
		`{"jsonrpc":"2.0","id":5,"method":"` + strings.Repeat("m", 9999) + `"}`:                    `-32601`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"deep":[1]}}}`: `{"jsonrpc":"2.0","id":0,"result":{}}`,
	} {
		got := say(s, message)
		if !strings.Contains(got, want) || len(got) > maxResult+2000 {
			t.Errorf("%.200s: %.300s, not %s", message, got, want)
		}
	}
	if len(s.open) != 0 {
		t.Errorf("%d calls are open", len(s.open))
	}
}

// A call that waits is answered once, whatever takes it back.
func TestServerEndsCalls(t *testing.T) {
	begun := make(chan string)
	s := NewServer("", []session.ClientTool{tool("wait", func(ctx context.Context, c session.ClientCall) (session.ToolResult, error) {
		begun <- string(c.ID)
		<-ctx.Done()
		return session.ToolResult{Text: "late"}, nil
	})})
	call := func(ctx context.Context, id int) <-chan string {
		out := make(chan string, 1)
		message := fmt.Sprintf(`{"id":%d,"method":"tools/call","params":{"name":"wait","_meta":{"claudecode/toolUseId":"t%d"}}}`, id, id)
		_, later := s.Handle(ctx, json.RawMessage(message), straight)
		go func() {
			reply, _ := json.Marshal(later())
			out <- string(reply)
		}()
		<-begun
		return out
	}
	byMessage := call(t.Context(), 1)
	if got := say(s, `{"id":1,"method":"tools/call","params":{"name":"wait"}}`); !strings.Contains(got, "running already") {
		t.Error(got)
	}
	ctx, end := context.WithCancel(t.Context())
	byRuntime := call(ctx, 2)
	say(s, `{"method":"notifications/cancelled","params":{"requestId":1}}`)
	end()
	for _, out := range []<-chan string{byMessage, byRuntime} {
		if got := <-out; !strings.Contains(got, "did not finish") || !strings.Contains(got, `"isError":true`) {
			t.Error(got)
		}
	}
	say(s, `{"method":"notifications/cancelled","params":{"requestId":1}}`) // it is late
	for id := range maxOpen {
		call(t.Context(), 100+id)
	}
	if got := say(s, `{"id":99,"method":"tools/call","params":{"name":"wait"}}`); !strings.Contains(got, "too many calls") {
		t.Error(got)
	}
}

// Every tool has a row that says how it is shown, and the same name in a runtime as there.
func TestToolsAreShown(t *testing.T) {
	kit := New(Options{Search: func(context.Context, Search) ([]Found, error) { return nil, nil },
		Notify: func(context.Context, string, string) error { return nil }, Diff: func(context.Context, session.ID, string, []string) (string, error) { return "", nil },
		Open: func(context.Context, string, int) error { return nil },
		Lookup: func(session.OpenOptions) (session.ClientTool, bool) {
			return session.ClientTool{Name: lookupName, Schema: []byte("{}")}, true
		}})
	tools := kit.For(nil, session.OpenOptions{})
	if len(tools) != len(names) {
		t.Errorf("%d tools, and %d names", len(tools), len(names))
	}
	for _, tool := range tools {
		own, ok := toolview.ClientTool(qualified(tool.Name))
		if !ok || own != tool.Name || CheckOff([]string{tool.Name}) != nil || !json.Valid(tool.Schema) {
			t.Errorf("%s is not known", tool.Name)
		}
		if d := toolview.Describe(qualified(tool.Name), nil, ""); d.Kind == toolview.MCP || strings.Contains(d.Past, tool.Name) {
			t.Errorf("%s is shown as %+v", tool.Name, d)
		}
	}
}

func FuzzServer(f *testing.F) {
	s := NewServer("", []session.ClientTool{Ask})
	f.Add([]byte(`{"id":1,"method":"tools/call","params":{"name":"ask_user","arguments":{"question":"x"}}}`))
	f.Add([]byte(`{"id":[],"method":"initialize"}`))
	f.Fuzz(func(t *testing.T, message []byte) {
		reply, later := s.Handle(context.Background(), message, func(ctx context.Context, tool session.ClientTool, c session.ClientCall) (session.ToolResult, error) {
			c.Ask = func(context.Context, session.QuestionAsk) session.Answer { return session.Answer{} }
			return tool.Call(ctx, c)
		})
		if later != nil {
			reply = later()
		}
		if out, err := json.Marshal(reply); err != nil || !json.Valid(out) {
			t.Errorf("%q: %s, %v", message, out, err)
		}
	})
}

// BenchmarkCall measures what a call takes beyond its work.
func BenchmarkCall(b *testing.B) {
	s := NewServer("", []session.ClientTool{tool("echo", func(_ context.Context, c session.ClientCall) (session.ToolResult, error) {
		return session.ToolResult{Text: string(c.ID)}, nil
	})})
	message := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"a":1},"_meta":{"claudecode/toolUseId":"t1"}}}`
	for b.Loop() {
		say(s, message)
	}
}
