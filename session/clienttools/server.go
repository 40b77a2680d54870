package clienttools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"parley/session"
)

// Name is the name of the MCP server that the tools are to a runtime.
const Name = "parley"

// The bounds of what a runtime can make the server do.
const (
	maxOpen   = 64      // calls at the same time
	maxResult = 200_000 // bytes of a result
	maxID     = 256     // bytes of a message's id
)

// oldest is the protocol version for a runtime that names none.
const oldest = "2025-06-18"

// The error codes of JSON-RPC.
const (
	badRequest    = -32600
	unknownMethod = -32601
	badParams     = -32602
)

// Server answers the MCP messages of one process of a runtime. It is safe for concurrent use.
type Server struct {
	version string

	mu    sync.Mutex
	tools []session.ClientTool
	open  map[string]context.CancelFunc // calls by the id of their message
}

// NewServer returns a server with tools. version is that of parley.
func NewServer(version string, tools []session.ClientTool) *Server {
	return &Server{version: cmp.Or(version, "dev"), tools: tools, open: map[string]context.CancelFunc{}}
}

// Tools returns the tools.
func (s *Server) Tools() []session.ClientTool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools
}

// Own returns the name of the tool that a runtime calls by a name, "" if it is none of the server's.
func (s *Server) Own(name string) string {
	own, ok := strings.CutPrefix(name, qualified(""))
	if s == nil || !ok || find(s.Tools(), own) == nil {
		return ""
	}
	return own
}

// SetTools replaces the tools by others of which a model reads the same.
func (s *Server) SetTools(tools []session.ClientTool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools = tools
}

// message is a JSON-RPC message of the runtime.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// answer is a JSON-RPC response.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *fault          `json:"error,omitempty"`
}

type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// nothing answers a notification, which has no id: the runtime's channel wants an answer to it all the same.
var nothing = answer{Version: "2.0", ID: json.RawMessage("0"), Result: struct{}{}}

// Handle takes a message. It returns the answer, or for a call of a tool what makes the answer: it runs the tool by run, which may
// take its time, and must be called once. ctx is that of the call.
func (s *Server) Handle(ctx context.Context, raw json.RawMessage, run func(ctx context.Context, t session.ClientTool, c session.ClientCall) (session.ToolResult, error)) (reply any, call func() any) {
	var m message
	if json.Unmarshal(raw, &m) != nil || len(m.ID) > maxID {
		return answer{Version: "2.0", ID: json.RawMessage("null"), Error: &fault{badRequest, "not a message"}}, nil
	}
	if id := string(m.ID); id == "" || id == "null" {
		s.notified(m)
		return nothing, nil
	}
	result, f := any(struct{}{}), (*fault)(nil)
	switch m.Method {
	case "initialize":
		result = s.hello(m.Params)
	case "ping":
	case "tools/list":
		result = map[string]any{"tools": s.list()}
	case "tools/call":
		ctx, t, c, f := s.begin(ctx, m)
		if f != nil {
			return answer{Version: "2.0", ID: m.ID, Error: f}, nil
		}
		return nil, func() any {
			defer s.end(m.ID)
			return answer{Version: "2.0", ID: m.ID, Result: guarded(ctx, t, c, run)}
		}
	default:
		f = &fault{unknownMethod, "there is no method " + strings.ToValidUTF8(m.Method[:min(len(m.Method), maxID)], "")}
	}
	if f != nil {
		result = nil
	}
	return answer{Version: "2.0", ID: m.ID, Result: result, Error: f}, nil
}

// hello answers initialize in the version that the runtime asks for: nothing that is used here differs between them.
func (s *Server) hello(params json.RawMessage) any {
	var in struct {
		Version string `json:"protocolVersion"`
	}
	if json.Unmarshal(params, &in) != nil || len(in.Version) > maxID {
		in.Version = ""
	}
	return map[string]any{
		"protocolVersion": cmp.Or(in.Version, oldest),
		"capabilities":    map[string]any{"tools": struct{}{}},
		"serverInfo":      map[string]string{"name": Name, "version": s.version},
	}
}

// list returns the tools as a runtime reads them.
func (s *Server) list() []map[string]any {
	all := []map[string]any{}
	for _, t := range s.Tools() {
		all = append(all, map[string]any{"name": t.Name, "description": t.Description, "inputSchema": json.RawMessage(t.Schema),
			"annotations": map[string]bool{"readOnlyHint": t.Reads, "destructiveHint": false}})
	}
	return all
}

// notified takes a message that wants no answer.
func (s *Server) notified(m message) {
	if m.Method != "notifications/cancelled" {
		return
	}
	var in struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.Params, &in) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := s.open[string(in.ID)]; end != nil {
		end()
	}
}

// begin opens a call, and returns why there can be none.
func (s *Server) begin(ctx context.Context, m message) (context.Context, session.ClientTool, session.ClientCall, *fault) {
	var in struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"arguments"`
		Meta struct {
			Call session.CallID `json:"claudecode/toolUseId"`
		} `json:"_meta"`
	}
	if json.Unmarshal(m.Params, &in) != nil {
		return nil, session.ClientTool{}, session.ClientCall{}, &fault{badParams, "the parameters cannot be read"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := find(s.tools, in.Name)
	switch {
	case t == nil:
		return nil, session.ClientTool{}, session.ClientCall{}, &fault{badParams, "parley has no such tool"}
	case s.open[string(m.ID)] != nil:
		return nil, session.ClientTool{}, session.ClientCall{}, &fault{badRequest, "this call is running already"}
	case len(s.open) >= maxOpen:
		return nil, session.ClientTool{}, session.ClientCall{}, &fault{badRequest, "too many calls are running"}
	}
	ctx, s.open[string(m.ID)] = context.WithCancel(ctx)
	return ctx, *t, session.ClientCall{ID: in.Meta.Call, Input: in.Args}, nil
}

// find returns the tool of a name, nil for none.
func find(tools []session.ClientTool, name string) *session.ClientTool {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return nil
}

func (s *Server) end(id json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := s.open[string(id)]; end != nil {
		end()
		delete(s.open, string(id))
	}
}

// content is the result of a call in the form of MCP.
type content struct {
	Content []text `json:"content"`
	Failed  bool   `json:"isError,omitempty"`
}

type text struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// guarded runs a call. A bug in a tool fails the call and nothing else.
func guarded(ctx context.Context, t session.ClientTool, c session.ClientCall, run func(context.Context, session.ClientTool, session.ClientCall) (session.ToolResult, error)) content {
	words, err := Run(ctx, func(ctx context.Context) (session.ToolResult, error) { return run(ctx, t, c) })
	if err != nil {
		return content{[]text{{"text", err.Error()}}, true}
	}
	return content{Content: []text{{"text", words}}}
}

// errInterrupted is what the model reads of a call that was interrupted.
var errInterrupted = errors.New("interrupted: this call did not finish")

// Run runs a call and returns what the model reads of its result, bounded. A bug in a tool is an error of the call.
func Run(ctx context.Context, run func(ctx context.Context) (session.ToolResult, error)) (words string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("something went wrong inside parley: %v", r)
		}
	}()
	r, err := run(ctx)
	switch {
	case ctx.Err() != nil:
		return "", errInterrupted
	case err != nil:
		return "", err
	}
	words = cmp.Or(r.Sent, r.Text, "(no output)")
	if len(words) > maxResult {
		words = strings.ToValidUTF8(words[:maxResult], "") + "\n[cut]"
	}
	return words, nil
}
