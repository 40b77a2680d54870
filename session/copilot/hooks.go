package copilot

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"parley/session"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/guard"
	"parley/session/copilot/protocol"
	"parley/session/permission"
	"parley/session/process"
)

// runningCalls are the tool calls that run, by their ids. The lock of the book guards them.
type runningCalls map[session.CallID]*runningCall

// runningCall is a tool call between its start and its end.
type runningCall struct {
	guard.Call
	name   string // of the tool as the runtime names it
	args   string // as [normal] writes them
	ran    string // those with which it runs where its command was replaced, else empty
	order  int
	hooked bool // the hook before it came
	imaged bool // images of its files were made
	// allowed holds the permissions of the user or a rule for it: the runtime may ask the same twice.
	allowed []json.RawMessage
	note    string // the user's words for the model, until the call has run
}

// observe takes an event of the session, before anything that the runtime asks about it.
func (b *asks) observe(e protocol.Event) {
	switch e.Type {
	case "tool.execution_start":
		b.begin(e)
	case "tool.execution_complete":
		var d struct {
			ID session.CallID `json:"toolCallId"`
		}
		if json.Unmarshal(e.Data, &d) == nil {
			b.mu.Lock()
			delete(b.calls, d.ID)
			b.mu.Unlock()
		}
	case "abort":
		b.withdrawIf(session.WhyInterrupted, func(h session.Head) bool { return h.Child == session.ChildID(e.Agent) })
	case "permission.completed", "user_input.completed", "elicitation.completed", "exit_plan_mode.completed", "auto_mode_switch.completed":
		var d struct {
			Request session.AskID `json:"requestId"`
		}
		if json.Unmarshal(e.Data, &d) == nil { // unless it was this program that answered
			b.end(d.Request, process.Verdict{How: session.SettledCancelled, Why: session.WhyWithdrawn})
		}
	case "session.idle", "session.start", "session.resume": // calls of an aborted turn have no end
		b.withdraw(session.WhyTurnEnded)
		b.mu.Lock()
		clear(b.calls)
		b.mu.Unlock()
	case "session.mcp_servers_loaded":
		var d struct {
			Servers []struct {
				Name string `json:"name"`
			} `json:"servers"`
		}
		_ = json.Unmarshal(e.Data, &d)
		b.mu.Lock()
		b.servers = nil
		for _, s := range d.Servers {
			b.servers = append(b.servers, s.Name)
		}
		b.mu.Unlock()
	}
}

// begin adds a call that starts.
func (b *asks) begin(e protocol.Event) {
	var d struct {
		ID   session.CallID  `json:"toolCallId"`
		Tool string          `json:"toolName"`
		Args json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(e.Data, &d) != nil || d.ID == "" {
		return
	}
	args, client := compact(d.Args), b.o.Guard().Client
	b.mu.Lock()
	defer b.mu.Unlock()
	b.serial++
	call := guard.Describe(d.Tool, args, b.servers, client)
	call.ID, call.Agent = d.ID, e.Agent
	b.calls[d.ID] = &runningCall{Call: call, name: d.Tool, args: normal(args), order: b.serial}
}

// compact returns a copy of JSON without white space.
func compact(raw json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return slices.Clone(raw)
	}
	return out.Bytes()
}

// normal returns the one text of all spellings of a JSON value: runtimes spell arguments in an event and in a hook differently.
func normal(raw json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return string(raw)
	}
	content, err := json.Marshal(v)
	if err != nil {
		return string(raw) // what was decoded cannot fail
	}
	return string(content)
}

// runs records that a call runs another command line than the model wrote, so that the hook after it finds the call.
func (b *asks) runs(id session.CallID, command string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.calls[id]; r != nil {
		if args, ok := guard.WithCommand(r.Input, command); ok {
			r.ran = normal(args)
		}
	}
}

// started returns a call as it began, zero if unknown.
func (b *asks) started(id session.CallID) guard.Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.calls[id]; r != nil {
		return r.Call
	}
	return guard.Call{}
}

// claim returns the call that a hook is about, nil if unknown: hooks do not say it. It is the oldest call of the tool for which
// accept holds with the arguments, of the same agent if there is one. The lock is held.
func (b *asks) claim(tool string, raw json.RawMessage, agent string, accept func(r *runningCall, args string) bool) *runningCall {
	var found *runningCall
	args := normal(raw)
	for _, r := range b.calls {
		if r.name != tool || !accept(r, args) {
			continue
		}
		better := found == nil || r.Agent == agent && found.Agent != agent
		if !better && (r.Agent == agent) == (found.Agent == agent) {
			better = r.order < found.order
		}
		if better {
			found = r
		}
	}
	return found
}

// allow records what the user allowed of a call, with their words for the model.
func (b *asks) allow(id session.CallID, data json.RawMessage, message string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.calls[id]; r != nil {
		r.allowed = append(r.allowed, slices.Clone(data))
		r.note = cmp.Or(r.note, message)
	}
}

// allowedBefore reports whether exactly this was allowed about the same call: the runtime asks twice about a path outside of
// its directories.
func (b *asks) allowedBefore(id session.CallID, data json.RawMessage) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.calls[id]
	return r != nil && slices.ContainsFunc(r.allowed, func(known json.RawMessage) bool { return bytes.Equal(known, data) })
}

// notUnderstood is the verdict on a hook that cannot be read.
var notUnderstood = guard.Verdict{Ruling: permission.Ask, Reason: "Always asked: parley does not understand what the tool would do."}

// hook answers a hook of the runtime. It never fails, because the runtime goes on as if there were no hook then.
func (b *asks) hook(ctx context.Context, q dispatch.HookCall) (json.RawMessage, error) {
	switch q.Hook {
	case "preToolUse":
		return output(b.before(ctx, q)), nil
	case "postToolUse", "postToolUseFailure":
		if note := b.takeNote(q); note != "" {
			return output(map[string]string{"additionalContext": note}), nil
		}
	}
	return nil, nil
}

// output returns the output of a hook, nil for none.
func output(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	content, err := json.Marshal(v)
	if err != nil {
		return nil // texts cannot fail
	}
	return content
}

// hookInput is the input of a hook around a tool call.
type hookInput struct {
	Tool  string          `json:"toolName"`
	Args  json.RawMessage `json:"toolArgs"`
	Agent string          `json:"agentId"`
}

// before answers the hook before a tool call. A call that may change files waits for their images.
func (b *asks) before(ctx context.Context, q dispatch.HookCall) any {
	var in hookInput
	g := b.guardNow()
	call, ok := guard.ReadHook(q.Input, g.Servers, g.Client)
	if !ok || json.Unmarshal(q.Input, &in) != nil {
		return notUnderstood.Reply()
	}
	call.Agent = cmp.Or(q.Agent, call.Agent)
	b.mu.Lock()
	if r := b.claim(in.Tool, in.Args, call.Agent, func(r *runningCall, args string) bool { return !r.hooked && r.args == args }); r != nil {
		r.hooked = true
		call.ID = r.ID
	}
	b.mu.Unlock()
	v := g.BeforeTool(call)
	if v.Ruling != permission.Deny {
		b.image(ctx, g, call, false)
	}
	return v.Reply()
}

// takeNote returns the user's words for the model after a call, once.
func (b *asks) takeNote(q dispatch.HookCall) string {
	var in hookInput
	if json.Unmarshal(q.Input, &in) != nil {
		return ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.claim(in.Tool, in.Args, cmp.Or(q.Agent, in.Agent), func(r *runningCall, args string) bool {
		return r.note != "" && cmp.Or(r.ran, r.args) == args
	})
	if r == nil {
		return ""
	}
	note := r.note
	r.note = ""
	if in.Tool == planTool {
		return note
	}
	return "The user allowed this call and said: " + note
}

// image keeps images of the files that a call may change. Unless again is set, it does so once for a call.
func (b *asks) image(ctx context.Context, g guard.Guard, call guard.Call, again bool) {
	if b.o.Files == nil || call.ID == "" {
		return
	}
	b.mu.Lock()
	r := b.calls[call.ID]
	done := r != nil && r.imaged && !again
	if r != nil {
		r.imaged = true
	}
	b.mu.Unlock()
	if done {
		return
	}
	f, ok := g.File(call)
	if !ok {
		return
	}
	head, ok := b.o.Head(call.ID, call.Agent)
	if !ok {
		return
	}
	f.Turn, f.Child = head.Turn, head.Child
	if f.Child == "" && b.o.Model != nil { // a child may have another model
		f.Model = b.o.Model()
	}
	b.o.Files.Before(ctx, f)
}

// drop forgets the images of a call that will not run.
func (b *asks) drop(call session.CallID) {
	if b.o.Files != nil && call != "" {
		b.o.Files.Drop(call)
	}
}
