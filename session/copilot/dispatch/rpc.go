package dispatch

import (
	"context"
	"encoding/json"
	"errors"

	"parley/internal/jsonrpc"
	"parley/session/copilot/protocol"
)

// requestData has the fields of requests that tell who asks and what.
type requestData struct {
	Session    string          `json:"sessionId"`
	ToolCall   string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	Arguments  json.RawMessage `json:"arguments"`
	Question   string          `json:"question"`
	Permission json.RawMessage `json:"permissionRequest"`
	Hook       string          `json:"hookType"`
	Input      json.RawMessage `json:"input"`
}

// asker is a request of the runtime with the session that it is for.
type asker struct {
	e       *entry
	child   string // empty for the session itself
	origin  Origin
	data    requestData
	allowed bool // to call the tool
	params  json.RawMessage
}

// methods answer the requests of the runtime.
var methods = map[string]func(asker, context.Context) (any, error){
	"tool.call":              asker.tool,
	"permission.request":     asker.permission,
	"userInput.request":      asker.userInput,
	"exitPlanMode.request":   asker.exitPlan,
	"autoModeSwitch.request": asker.autoMode,
	"hooks.invoke":           asker.hook,
}

// Handle answers a request of the runtime. Its error is an [*jsonrpc.Error].
func (r *Router) Handle(ctx context.Context, method string, params json.RawMessage) (any, error) {
	answer := methods[method]
	if answer == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no method " + method}
	}
	a := asker{params: params}
	if err := json.Unmarshal(params, &a.data); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: method + ": " + err.Error()}
	}
	ctx, q, err := r.open(ctx, method, &a)
	if err != nil {
		return nil, internal(err)
	}
	defer r.done(a.e, q)
	result, err := answer(a, ctx)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if err != nil {
		return nil, internal(err)
	}
	return result, nil
}

// open finds who asks and opens the request.
func (r *Router) open(ctx context.Context, method string, a *asker) (context.Context, *request, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, child, err := r.resolve(a.data.Session)
	if err != nil {
		return nil, nil, err
	}
	a.e = e
	known := e.announcedBy(method, a.data.Question)
	switch {
	case child:
		a.child = r.children.inEvents(a.data.Session)
	case method == "hooks.invoke":
		a.child = r.hookChild(e, a.data.Input)
	case known.agent != "":
		a.child = known.agent
	default:
		call := a.data.ToolCall
		if call == "" {
			call = readPermission(a.data.Permission).ToolCall
		}
		a.child = r.children.calls[e.id][call].child
	}
	if a.data.ToolCall == "" {
		a.data.ToolCall = known.call
	}
	a.origin = r.originOf(e, a.child, known.id)
	a.allowed = r.mayCall(e, a.child, a.data.ToolName)
	ctx, q, ok := r.begin(ctx, e, known.id, a.child)
	if !ok {
		return nil, nil, ErrEnded
	}
	return ctx, q, nil
}

// hookChild returns the child whose hook is called: the session of the hook's own input, if that is another one.
func (r *Router) hookChild(e *entry, input json.RawMessage) string {
	var in struct {
		Session string `json:"sessionId"`
		Agent   string `json:"agentId"`
	}
	if json.Unmarshal(input, &in) != nil || in.Session == "" || in.Session == e.id {
		return ""
	}
	if in.Agent != "" {
		return in.Agent
	}
	return r.children.inEvents(in.Session)
}

func internal(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// resultOf is an answer in the form of protocol version 2.
type resultOf struct {
	Result any `json:"result"`
}

func (a asker) tool(ctx context.Context) (any, error) {
	if !a.allowed {
		return resultOf{unsupported(a.data.ToolName)}, nil
	}
	return resultOf{a.e.Tool(ctx, ToolCall{Origin: a.origin, ID: a.data.ToolCall, Name: a.data.ToolName, Arguments: a.data.Arguments})}, nil
}

// oldKinds are the words of protocol version 2 for decisions.
var oldKinds = map[string]string{ApproveOnce: "approved", ApproveForSession: "approved", Reject: "denied-interactively-by-user",
	NotAvailable: "denied-no-approval-rule-and-could-not-request-from-user"}

func (a asker) permission(ctx context.Context) (any, error) {
	p := readPermission(a.data.Permission)
	d := a.e.permission(ctx, PermissionCall{Origin: a.origin, Kind: p.Kind, Call: p.ToolCall, Data: a.data.Permission})
	if old, ok := oldKinds[d.Kind]; ok {
		d.Kind = old
	}
	d.Approval = nil
	return resultOf{d}, nil
}

var errNobody = errors.New("this client answers no questions")

func (a asker) userInput(ctx context.Context) (any, error) {
	if a.e.UserInput == nil {
		return nil, errNobody
	}
	var call UserInputCall
	if err := json.Unmarshal(a.params, &call); err != nil {
		return nil, err
	}
	call.Origin, call.Call = a.origin, a.data.ToolCall
	return a.e.UserInput(ctx, call)
}

func (a asker) exitPlan(ctx context.Context) (any, error) {
	if a.e.ExitPlan == nil {
		return ExitPlanAnswer{}, nil
	}
	var call ExitPlanCall
	if err := json.Unmarshal(a.params, &call); err != nil {
		return nil, err
	}
	call.Origin = a.origin
	return a.e.ExitPlan(ctx, call), nil
}

func (a asker) autoMode(ctx context.Context) (any, error) {
	var call AutoModeCall
	if err := json.Unmarshal(a.params, &call); err != nil {
		return nil, err
	}
	call.Origin = a.origin
	answer := struct {
		Response string `json:"response"`
	}{"no"}
	if a.e.AutoMode != nil {
		answer.Response = a.e.AutoMode(ctx, call)
	}
	return answer, nil
}

func (a asker) hook(ctx context.Context) (any, error) {
	var answer struct {
		Output json.RawMessage `json:"output,omitempty"`
	}
	if a.e.Hook == nil {
		return answer, nil
	}
	output, err := a.e.Hook(ctx, HookCall{Origin: a.origin, Hook: a.data.Hook, Input: a.data.Input})
	answer.Output = output
	return answer, err
}

// WithDefinitions returns agents with the definitions of the client's tools on their lists, as session.create and
// session.resume take them. An agent without a list has none: it gets all tools of the session. It changes nothing.
func WithDefinitions(agents []protocol.Agent, tools []protocol.Tool) []protocol.Agent {
	out := make([]protocol.Agent, len(agents))
	for i, a := range agents {
		if a.Tools != nil {
			a.Definitions = nil
			for _, name := range *a.Tools {
				for _, t := range tools {
					if t.Name == name {
						a.Definitions = append(a.Definitions, t)
					}
				}
			}
		}
		out[i] = a
	}
	return out
}
