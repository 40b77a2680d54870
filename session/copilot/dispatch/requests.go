package dispatch

import (
	"context"
	"encoding/json"
	"slices"

	"parley/internal/crash"
	"parley/session/copilot/protocol"
)

// unsupported is the result of a call of a tool that the caller may not call or that the client does not have. The model reads
// the text only from a result: the runtime replaces an error.
func unsupported(tool string) protocol.ToolResult {
	text := "Tool '" + tool + "' is not supported by this client instance."
	return protocol.ToolResult{Text: text, Type: "failure", Error: text}
}

// mayCall reports whether a session has a tool and the caller, a child or the session itself, may call it. The caller holds
// the lock.
func (r *Router) mayCall(e *entry, child, tool string) bool {
	if e.Tool == nil || !slices.ContainsFunc(e.Tools, func(t protocol.Tool) bool { return t.Name == tool }) {
		return false
	}
	return child == "" || r.children.mayCall(e.Agents, child, tool)
}

// allowed is mayCall for a caller without the lock.
func (r *Router) allowed(e *entry, child, tool string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mayCall(e, child, tool)
}

// asked returns what starts the handler of an event that asks something, nil if there is nothing to do. The caller holds the
// lock.
func (r *Router) asked(e *entry, event protocol.Event, d *eventData) (begin func()) {
	switch event.Type {
	case toolRequested, permissionRequested, elicitationRequested:
		if d.Request == "" || !e.seen.add(d.Request) {
			return nil // a runtime may send a request a second time, even after its end
		}
	}
	switch event.Type {
	case toolRequested:
		return r.answerer(e, event, d, d.ToolCall, "session.tools.handlePendingToolCall", func(ctx context.Context, o Origin, child string) any {
			if !r.allowed(e, child, d.ToolName) {
				return unsupported(d.ToolName)
			}
			return e.Tool(ctx, ToolCall{Origin: o, ID: d.ToolCall, Name: d.ToolName, Arguments: d.Arguments, Dir: d.Dir})
		})
	case permissionRequested:
		if d.ByHook {
			return nil
		}
		p := readPermission(d.Permission)
		return r.answerer(e, event, d, p.ToolCall, "session.permissions.handlePendingPermissionRequest", func(ctx context.Context, o Origin, _ string) any {
			return e.permission(ctx, PermissionCall{Origin: o, Kind: p.Kind, Call: p.ToolCall, Data: d.Permission, Prompt: d.Prompt})
		})
	case elicitationRequested:
		return r.answerer(e, event, d, d.ToolCall, "session.ui.handlePendingElicitation", func(ctx context.Context, o Origin, _ string) any {
			var call ElicitationCall
			_ = json.Unmarshal(event.Data, &call) // it was decoded before
			call.Origin = o
			return e.elicitation(ctx, call)
		})
	case userInputRequested:
		r.announce(e, event, d, "userInput.request")
	case exitPlanRequested:
		r.announce(e, event, d, "exitPlanMode.request")
	case autoModeRequested:
		r.announce(e, event, d, "autoModeSwitch.request")
	}
	return nil
}

// announce remembers a question that a request will ask. The caller holds the lock.
func (r *Router) announce(e *entry, event protocol.Event, d *eventData, method string) {
	o, _ := r.origin(e, event, d, d.ToolCall)
	question := ""
	if method == "userInput.request" {
		question = d.Question
	}
	e.announce(announced{method: method, id: d.Request, question: question, call: d.ToolCall, agent: o.Agent})
}

// handler answers a request of a child, or of the session itself where child is empty.
type handler func(ctx context.Context, o Origin, child string) any

// answerer returns a function that runs a handler in a goroutine and sends its answer to the runtime. The caller holds the
// lock, and calls the function without it.
func (r *Router) answerer(e *entry, event protocol.Event, d *eventData, call, method string, handle handler) func() {
	o, _ := r.origin(e, event, d, call)
	ctx, q, ok := r.begin(e.ctx, e, d.Request, o.Agent)
	if !ok {
		return nil
	}
	return func() {
		crash.Go(func() {
			defer r.done(e, q)
			o, child := r.whose(ctx, e, event, d, call)
			r.assign(q, o.Agent)
			result := handle(ctx, o, child)
			if ctx.Err() != nil {
				return
			}
			var answer struct {
				Success *bool `json:"success"`
			}
			err := r.o.Call(e.ctx, method, pendingAnswer{e.id, o.Request, result}, &answer)
			if err != nil && e.ctx.Err() == nil || answer.Success != nil && !*answer.Success {
				r.o.Log.Debug("the runtime did not take an answer", "method", method, "request", o.Request, "error", err)
			}
		})
	}
}

// pendingAnswer is the parameter of the methods that answer a request.
type pendingAnswer struct {
	Session string `json:"sessionId"`
	Request string `json:"requestId"`
	Result  any    `json:"result"`
}

func (e *entry) permission(ctx context.Context, call PermissionCall) PermissionDecision {
	if e.Permission == nil {
		return PermissionDecision{Kind: NotAvailable}
	}
	return e.Permission(ctx, call)
}

func (e *entry) elicitation(ctx context.Context, call ElicitationCall) ElicitationAnswer {
	if e.Elicitation == nil {
		return ElicitationAnswer{Action: "cancel"}
	}
	return e.Elicitation(ctx, call)
}
