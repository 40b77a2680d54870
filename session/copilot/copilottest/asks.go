package copilottest

import (
	"encoding/json"
	"maps"
	"runtime"
)

// exit ends the calling goroutine.
func exit() { runtime.Goexit() }

// Decision is the answer to a permission request.
type Decision struct {
	Kind     string `json:"kind"`
	Feedback string `json:"feedback"`
}

// Approved reports whether the runtime may act.
func (d Decision) Approved() bool {
	switch d.Kind {
	case "approve-once", "approve-for-session", "approve-for-location", "approve-permanently", "approved", "approved-for-session":
		return true
	}
	return false
}

// Text returns what the model reads of a refusal.
func (d Decision) Text() string {
	switch {
	case d.Feedback != "":
		return "The user rejected this tool call. User feedback: " + d.Feedback
	case d.Kind == "user-not-available", d.Kind == "denied-no-approval-rule-and-could-not-request-from-user":
		return "Permission denied and could not request permission from user"
	}
	return "The user rejected this tool call."
}

// owned adds what names the actor's session to the data of a request.
func (a *Actor) owned(data map[string]any, field string) map[string]any {
	if a.Native != "" && a.Session.r.Form == Real {
		data[field] = a.Native
	}
	return data
}

// requestAgent returns the id of the actor in events that request something.
func (a *Actor) requestAgent() string {
	if a.Session.r.Form == Real {
		return a.Agent
	}
	return ""
}

// ask makes a request of the runtime to the driver and decodes the result, if there is one.
func (a *Actor) ask(method string, params map[string]any, result any) *Error {
	params["sessionId"] = a.outer()
	c := a.Session.on()
	if c == nil {
		exit()
	}
	m := wait(a, c.Ask(method, params))
	if m.Error == nil && len(m.Result) > 0 {
		_ = json.Unmarshal(m.Result, result)
	}
	return m.Error
}

// Permission asks whether the runtime may act. request has the kind and the fields of the kind. A driver that did not want
// to be asked is not.
func (a *Actor) Permission(request map[string]any) Decision {
	if a.Session.r.protocol() == 2 {
		var r struct{ Result Decision }
		if err := a.ask("permission.request", object{"permissionRequest": request}, &r); err != nil {
			return Decision{Kind: "denied-no-approval-rule-and-could-not-request-from-user"}
		}
		return r.Result
	}
	a.Session.mu.Lock()
	asks := a.Session.created.Asks
	a.Session.mu.Unlock()
	if !asks {
		return Decision{Kind: "user-not-available"}
	}
	id, answer := a.Session.waiting.add(a.Session.r.id())
	defer a.Session.waiting.drop(id)
	mode := a.Session.Mode()
	a.Session.emit(a.requestAgent(), "permission.requested", a.owned(object{"requestId": id, "permissionRequest": request, "promptRequest": request,
		"agentMode": mode}, "ownerSessionId"), false)
	done := object{"requestId": id, "toolCallId": request["toolCallId"], "result": object{"kind": "cancelled", "reason": "Session aborted"}}
	defer func() { a.Session.emit(a.requestAgent(), "permission.completed", done, false) }()
	var d Decision
	_ = json.Unmarshal(wait(a, answer), &d)
	done["result"] = object{"kind": "approved"}
	if !d.Approved() {
		done["result"] = object{"kind": "denied-interactively-by-user", "feedback": d.Feedback}
	}
	return d
}

// external calls a tool of the client.
func (a *Actor) external(call Call) Result {
	var r Result
	if a.Session.r.protocol() == 2 {
		var answer struct{ Result Result }
		if err := a.ask("tool.call", object{"toolCallId": call.ID, "toolName": call.Name, "arguments": call.Input}, &answer); err != nil {
			return Result{Text: err.Message, Type: "failure"}
		}
		return answer.Result
	}
	id, answer := a.Session.waiting.add(a.Session.r.id())
	defer a.Session.waiting.drop(id)
	data := object{"requestId": id, "sessionId": a.outer(), "toolCallId": call.ID, "toolName": call.Name, "arguments": call.Input}
	owned := a.owned(maps.Clone(data), "ownerNativeSessionId")
	if a.Session.r.Form == Doubled && a.Native != "" {
		data["sessionId"] = a.Native
		a.Session.emit("", "external_tool.requested", data, false)
		owned["ownerNativeSessionId"] = a.Native
	}
	if a.Session.r.Form != Doubled || a.Native == "" {
		a.Session.emit(a.requestAgent(), "external_tool.requested", owned, false)
	}
	defer func() { a.Session.emit(a.requestAgent(), "external_tool.completed", object{"requestId": id}, true) }()
	given := wait(a, answer)
	if a.Native != "" && a.Session.r.Form == Doubled {
		a.Session.emit("", "external_tool.requested", owned, false)
	}
	if json.Unmarshal(given, &r) != nil {
		var text string
		_ = json.Unmarshal(given, &text)
		r = Result{Text: text, Type: "success"}
	}
	return r
}

// AskUser asks a question. The error is that of a driver that does not answer questions.
func (a *Actor) AskUser(question string, choices []string, free bool) (answer string, wasFree bool, err *Error) {
	var r struct {
		Answer      string
		WasFreeform bool
	}
	params := object{"question": question, "allowFreeform": free}
	if choices != nil {
		params["choices"] = choices
	}
	id := a.Session.r.id()
	shown := maps.Clone(params)
	shown["requestId"] = id
	a.Ephemeral("user_input.requested", shown)
	err = a.ask("userInput.request", params, &r)
	a.Ephemeral("user_input.completed", object{"requestId": id, "answer": r.Answer, "wasFreeform": r.WasFreeform})
	return r.Answer, r.WasFreeform, err
}

// Elicit asks for a form or, with mode "url" and a url, for a visit of a page. fields are those of the event.
func (a *Actor) Elicit(fields map[string]any) (action string, content json.RawMessage) {
	id, answer := a.Session.waiting.add(a.Session.r.id())
	defer a.Session.waiting.drop(id)
	data := maps.Clone(fields)
	data["requestId"] = id
	a.Ephemeral("elicitation.requested", data)
	var r struct {
		Action  string
		Content json.RawMessage
	}
	defer func() { a.Ephemeral("elicitation.completed", object{"requestId": id, "action": r.Action}) }()
	_ = json.Unmarshal(wait(a, answer), &r)
	return r.Action, r.Content
}

// PlanAnswer is the answer to a request to leave the plan mode.
type PlanAnswer struct {
	Approved                 bool
	SelectedAction, Feedback string
	AutoApproveEdits         bool
}

// ExitPlan asks whether a plan is approved.
func (a *Actor) ExitPlan(summary, plan string, actions ...string) (PlanAnswer, *Error) {
	var r PlanAnswer
	err := a.ask("exitPlanMode.request", object{"summary": summary, "planContent": plan, "actions": actions, "recommendedAction": "interactive"}, &r)
	return r, err
}

// AutoMode offers another model after a rate limit.
func (a *Actor) AutoMode(code string, after float64) (string, *Error) {
	var r struct{ Response string }
	err := a.ask("autoModeSwitch.request", object{"errorCode": code, "retryAfterSeconds": after}, &r)
	return r.Response, err
}

// Hook calls a hook of the driver and returns its output, nil if there is none or the driver wants no hooks.
func (a *Actor) Hook(kind string, input map[string]any) json.RawMessage {
	a.Session.mu.Lock()
	wanted, dir := a.Session.created.Hooks, a.Session.created.Dir
	a.Session.mu.Unlock()
	if !wanted {
		return nil
	}
	in := maps.Clone(input)
	in["sessionId"], in["timestamp"], in["cwd"] = a.Session.ID, 0, dir
	if a.Agent != "" {
		in["sessionId"], in["agentId"] = a.Agent, a.Agent
	}
	var r struct{ Output json.RawMessage }
	_ = a.ask("hooks.invoke", object{"hookType": kind, "input": in}, &r)
	return r.Output
}
