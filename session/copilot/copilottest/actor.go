package copilottest

import (
	"context"
	"encoding/json"
)

// Actor is the agent of a turn or a child agent, as the turn's function plays it. When the turn is aborted or the runtime
// ends, methods that wait end the calling goroutine.
type Actor struct {
	// Session is the session in which it plays.
	Session *Session
	// Agent is the id of the child agent in events, "" for the top level. Native is the id of its session, which only some
	// requests have. Task is the call that started it.
	Agent, Native, Task string

	ctx context.Context
}

// Context returns the context of the turn, which ends when the turn is aborted or the runtime ends.
func (a *Actor) Context() context.Context { return a.ctx }

// Emit sends an event that is stored, and returns its id.
func (a *Actor) Emit(kind string, data map[string]any) string {
	return a.Session.emit(a.eventAgent(), kind, a.placed(data), false)
}

// Ephemeral sends an event that is not stored, and returns its id.
func (a *Actor) Ephemeral(kind string, data map[string]any) string {
	return a.Session.emit(a.eventAgent(), kind, a.placed(data), true)
}

// eventAgent returns the id of the actor in events. The form [Remote] has none.
func (a *Actor) eventAgent() string {
	if a.Session.r.Form == Remote {
		return ""
	}
	return a.Agent
}

// placed adds the call that started the actor to an event's data.
func (a *Actor) placed(data map[string]any) map[string]any {
	if data == nil {
		data = object{}
	}
	if a.Task != "" && data["parentToolCallId"] == nil {
		data["parentToolCallId"] = a.Task
	}
	return data
}

// outer returns the session id that a request of the actor has.
func (a *Actor) outer() string {
	if a.Session.r.Form == Remote && a.Native != "" {
		return a.Native
	}
	return a.Session.ID
}

// wait returns the value of a channel. It ends the goroutine if the turn ends first.
func wait[T any](a *Actor, from <-chan T) T {
	var zero T
	select {
	case v := <-from:
		return v
	case <-a.ctx.Done():
		exit()
	}
	return zero
}

// Pause waits for a channel, such as one that the test closes.
func (a *Actor) Pause(until <-chan struct{}) { wait(a, until) }

// Wait waits until the turn is aborted or the runtime ends, and ends the goroutine.
func (a *Actor) Wait() {
	<-a.ctx.Done()
	exit()
}

// Steered returns the prompts that were sent into the turn so far, and forgets them.
func (a *Actor) Steered() []string {
	a.Session.mu.Lock()
	defer a.Session.mu.Unlock()
	out := a.Session.steered
	a.Session.steered = nil
	return out
}

// Say streams a text in two deltas and commits it as a message.
func (a *Actor) Say(text string) {
	id := a.Session.r.id()
	a.Ephemeral("assistant.message_start", object{"messageId": id})
	half := len(text) / 2
	for _, piece := range []string{text[:half], text[half:]} {
		if piece != "" {
			a.Ephemeral("assistant.message_delta", object{"messageId": id, "deltaContent": piece})
			a.Ephemeral("assistant.streaming_delta", object{"totalResponseSizeBytes": len(piece)})
		}
	}
	a.message(id, text)
	a.Ephemeral("assistant.usage", object{"model": a.Session.Model(), "inputTokens": 100, "outputTokens": 10, "cacheReadTokens": 0, "cacheWriteTokens": 0,
		"cost": 1, "duration": 5, "initiator": "user"})
}

// Think streams a thought and commits it.
func (a *Actor) Think(text string) {
	id := a.Session.r.id()
	a.Ephemeral("assistant.reasoning_delta", object{"reasoningId": id, "deltaContent": text})
	a.Ephemeral("assistant.reasoning", object{"reasoningId": id, "content": text})
}

func (a *Actor) message(id, text string, calls ...Call) {
	requests := []object{}
	for _, c := range calls {
		requests = append(requests, object{"toolCallId": c.ID, "name": c.Name, "arguments": c.Input, "type": "function"})
	}
	a.Emit("assistant.message", object{"messageId": id, "model": a.Session.Model(), "content": text, "toolRequests": requests, "turnId": "0"})
}

// Call is a tool call of the model.
type Call struct {
	ID    string // "": another id
	Name  string
	Input any
	// Permission is the request that the runtime makes before the call, with its kind; nil: none is made.
	Permission map[string]any
}

// Result is the result of a tool as the model reads it.
type Result struct {
	Text string `json:"textResultForLlm"`
	// Type is success, failure, rejected or denied.
	Type  string `json:"resultType"`
	Error string `json:"error,omitempty"`
}

// Begin announces calls in one message and starts them. It returns them with their ids.
func (a *Actor) Begin(calls ...Call) []Call {
	for i := range calls {
		if calls[i].ID == "" {
			calls[i].ID = "toolu_" + a.Session.r.id()
		}
	}
	a.message(a.Session.r.id(), "", calls...)
	for _, c := range calls {
		a.Emit("tool.execution_start", object{"toolCallId": c.ID, "toolName": c.Name, "arguments": c.Input, "turnId": "0", "model": a.Session.Model()})
	}
	return calls
}

// End ends a call.
func (a *Actor) End(c Call, r Result) {
	data := object{"toolCallId": c.ID, "success": r.Type == "success", "model": a.Session.Model(), "turnId": "0"}
	if r.Type == "success" {
		data["result"] = object{"content": r.Text, "detailedContent": r.Text}
	} else {
		data["error"] = object{"message": r.Text, "code": r.Type}
	}
	a.Emit("tool.execution_complete", data)
}

// Run plays a call of one of the runtime's tools: the hook before it, its permission request, the result of do, and the hook
// after it. It returns the result.
func (a *Actor) Run(c Call, do func() Result) Result {
	c = a.Begin(c)[0]
	r := a.perform(c, do)
	a.End(c, r)
	return r
}

// perform runs a call that was announced. The arguments that the hook before it puts in place of its own are asked about and reach
// the hook after it; do is the same.
func (a *Actor) perform(c Call, do func() Result) Result {
	var before struct {
		PermissionDecision, PermissionDecisionReason string
		ModifiedArgs                                 json.RawMessage
	}
	_ = json.Unmarshal(a.Hook("preToolUse", object{"toolName": c.Name, "toolArgs": c.Input}), &before)
	if before.PermissionDecision == "deny" {
		return Result{Text: "Denied by preToolUse hook: " + before.PermissionDecisionReason, Type: "denied"}
	}
	if before.ModifiedArgs != nil {
		c.Input = before.ModifiedArgs
		var in struct{ Command string }
		if json.Unmarshal(before.ModifiedArgs, &in) == nil && in.Command != "" && c.Permission != nil {
			c.Permission["fullCommandText"] = in.Command
		}
	}
	if c.Permission != nil && before.PermissionDecision != "allow" {
		c.Permission["toolCallId"] = c.ID
		if d := a.Permission(c.Permission); !d.Approved() {
			return Result{Text: d.Text(), Type: "rejected"}
		}
	}
	r := do()
	kind, fields := "postToolUse", object{"toolName": c.Name, "toolArgs": c.Input, "toolResult": r}
	if r.Type != "success" {
		kind, fields = "postToolUseFailure", object{"toolName": c.Name, "toolArgs": c.Input, "error": r.Text}
	}
	var after struct{ AdditionalContext string }
	_ = json.Unmarshal(a.Hook(kind, fields), &after)
	if after.AdditionalContext != "" {
		r.Text += "\n" + after.AdditionalContext
	}
	return r
}

// Client plays a call of a tool of the client, with its permission request unless the tool needs none.
func (a *Actor) Client(name string, input any) Result {
	c := Call{Name: name, Input: input, Permission: object{"kind": "custom-tool", "toolName": name, "args": input}}
	a.Session.mu.Lock()
	for _, t := range a.Session.created.Tools {
		if t.Name == name && t.SkipPermission {
			c.Permission = nil
		}
	}
	a.Session.mu.Unlock()
	c = a.Begin(c)[0]
	r := a.perform(c, func() Result { return a.external(c) })
	a.End(c, r)
	return r
}

// Child plays a child agent from its start to its end, within a call of the tool task. play may be nil.
func (a *Actor) Child(agent, prompt string, play func(child *Actor)) {
	call := a.Begin(Call{Name: "task", Input: object{"agent_type": agent, "name": agent, "description": prompt, "prompt": prompt, "mode": "sync"}})[0]
	child := a.Start(call, agent)
	child.Emit("user.message", object{"content": prompt, "messageId": a.Session.r.id(), "source": "agent-" + a.Session.ID, "delivery": "idle"})
	child.Emit("assistant.turn_start", object{"turnId": "0"})
	if play != nil {
		play(child)
	}
	child.Emit("assistant.turn_end", object{"turnId": "0"})
	child.Finish(agent, "")
	a.End(call, Result{Text: "done", Type: "success"})
}

// Start announces a child agent that a call started.
func (a *Actor) Start(call Call, agent string) *Actor {
	child := &Actor{Session: a.Session, Agent: a.Session.r.id(), Native: a.Session.r.id(), Task: call.ID, ctx: a.ctx}
	data := object{"toolCallId": call.ID, "agentName": agent, "agentDisplayName": agent, "agentDescription": "A child", "agentType": agent,
		"executionMode": "sync", "resumable": false, "model": a.Session.Model(), "parentToolCallId": ""}
	if a.Agent != "" {
		data["parentId"] = a.Agent
	}
	if a.Session.r.Form == Remote {
		data["remoteSessionId"] = child.Native
	}
	delete(data, "parentToolCallId")
	a.Session.emit(child.eventAgent(), "subagent.started", data, false)
	return child
}

// Finish ends a child agent's turn, as failed if failure is not "".
func (a *Actor) Finish(agent, failure string) {
	kind, data := "subagent.completed", object{"toolCallId": a.Task, "agentName": agent, "agentDisplayName": agent, "model": a.Session.Model()}
	if failure != "" {
		kind = "subagent.failed"
		data["error"] = failure
	}
	a.Session.emit(a.eventAgent(), kind, data, false)
}
