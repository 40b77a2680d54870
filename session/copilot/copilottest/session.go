package copilottest

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"parley/session/copilot/protocol"
)

// Session is a session of the simulated runtime.
type Session struct {
	ID string
	r  *Runtime

	order   sync.Mutex // held while an event is sent
	mu      sync.Mutex
	c       *Conn // the process that has it open, nil for none
	params  json.RawMessage
	created created
	model   string
	mode    string
	name    string
	last    string // id of the last stored event
	events  []protocol.Event
	queue   []sent
	stop    context.CancelFunc // of the running turn, nil for none
	aborted bool
	steered []string
	waiting requests
}

// sent is a prompt in the queue.
type sent struct{ id, text string }

// Params returns the parameters with which the session was created or last resumed.
func (s *Session) Params() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.params
}

// Events returns the stored events so far: all that are not ephemeral.
func (s *Session) Events() []protocol.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// Model returns the session's model.
func (s *Session) Model() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.model
}

// Mode returns the session's mode: interactive, plan or autopilot.
func (s *Session) Mode() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mode
}

func (s *Session) on() *Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.c
}

// open opens the session in a process.
func (s *Session) open(c *Conn, m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.c, s.params, s.created = c, m.Params, created{}
	_ = json.Unmarshal(m.Params, &s.created)
	if s.created.Model != "" {
		s.model = s.created.Model
	}
	if s.model == "" {
		s.model = s.r.Model
	}
	if s.model == "" {
		s.model = "claude-sonnet-5"
	}
	if s.mode == "" {
		s.mode = "interactive"
	}
}

// opened is the answer to session.create and session.resume.
func (s *Session) opened() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return object{"sessionId": s.ID, "nativeSessionId": s.ID, "startTime": now(), "isRemote": false, "mode": s.mode,
		"workspacePath": "/nowhere/" + s.ID, "capabilities": object{"ui": object{"elicitation": true}}, "modelState": object{"modelId": s.model}}
}

// leave ends the session's turn because its process ends.
func (s *Session) leave(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.c != c {
		return
	}
	s.c, s.queue = nil, nil
	if s.stop != nil {
		s.stop()
	}
}

// answer answers a request about the session.
func (s *Session) answer(m Message) (result any, err error, known bool) {
	var p struct {
		Prompt, Mode, ModelID, Name, RequestID string
		Result, Response, Error                json.RawMessage
	}
	_ = json.Unmarshal(m.Params, &p)
	switch m.Method {
	case "session.send":
		return object{"messageId": s.send(p.Prompt, p.Mode)}, nil, true
	case "session.abort", "session.interruptMainTurn":
		return object{"success": s.abort(), "interrupted": true}, nil, true
	case "session.model.switchTo":
		s.set(&s.model, p.ModelID)
		s.Emit("session.model_change", object{"newModel": p.ModelID})
		return object{"status": "applied", "deferred": false, "modelId": p.ModelID, "modelState": object{"modelId": p.ModelID}}, nil, true
	case "session.mode.set":
		s.set(&s.mode, p.Mode)
		s.Emit("session.mode_changed", object{"newMode": p.Mode})
		return object{"status": "unchanged", "modelChanged": false, "modeApplied": true}, nil, true
	case "session.mode.get":
		return s.Mode(), nil, true
	case "session.name.set":
		s.set(&s.name, p.Name)
		s.Ephemeral("session.title_changed", object{"title": p.Name})
		return object{}, nil, true
	case "session.name.get":
		return object{"name": s.name}, nil, true
	case "session.permissions.handlePendingPermissionRequest", "session.tools.handlePendingToolCall":
		given := p.Result
		if len(given) == 0 && len(p.Error) > 0 { // the model reads nothing of a bare error
			given = json.RawMessage(`{"textResultForLlm":"Tool execution failed","resultType":"failure"}`)
		}
		return object{"success": s.waiting.answer(p.RequestID, given)}, nil, true
	case "session.ui.handlePendingElicitation":
		return object{"success": s.waiting.answer(p.RequestID, p.Result)}, nil, true
	case "session.ui.handlePendingUserInput", "session.ui.handlePendingExitPlanMode":
		return object{"success": s.waiting.answer(p.RequestID, p.Response)}, nil, true
	case "session.detach", "session.destroy":
		s.abort()
		s.Emit("session.shutdown", object{"shutdownType": "routine"})
		s.leave(s.on())
		return object{"success": true}, nil, true
	case "session.delete":
		s.abort()
		s.r.mu.Lock()
		delete(s.r.stored, s.ID)
		s.r.mu.Unlock()
		return object{"success": true}, nil, true
	}
	return nil, nil, false
}

func (s *Session) set(field *string, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*field = value
}

// send puts a prompt into the queue, or into the running turn in the mode immediate.
func (s *Session) send(prompt, mode string) (messageID string) {
	id := s.r.id()
	s.mu.Lock()
	defer s.mu.Unlock()
	if mode == "immediate" && s.stop != nil {
		s.steered = append(s.steered, prompt)
		return id
	}
	s.queue = append(s.queue, sent{id, prompt})
	return id
}

// abort aborts the running turn and drops the queue.
func (s *Session) abort() bool {
	s.mu.Lock()
	s.queue = nil
	stop := s.stop
	s.aborted = stop != nil
	s.mu.Unlock()
	if stop != nil {
		s.Emit("abort", object{"reason": "user_initiated"})
		stop()
	}
	return true
}

// next starts the next turn, unless one runs.
func (s *Session) next() {
	s.mu.Lock()
	if s.stop != nil || len(s.queue) == 0 || s.c == nil {
		s.mu.Unlock()
		return
	}
	one := s.queue[0]
	s.queue = s.queue[1:]
	ctx, stop := context.WithCancel(context.Background())
	s.stop, s.aborted = stop, false
	c := s.c
	s.mu.Unlock()
	c.Begin(func() {
		defer s.done(c)
		s.turn(ctx, one)
	})
}

// turn plays one turn.
func (s *Session) turn(ctx context.Context, one sent) {
	a := &Actor{Session: s, ctx: ctx}
	a.Hook("userPromptSubmitted", object{"prompt": one.text})
	a.Emit("user.message", object{"content": one.text, "transformedContent": one.text, "messageId": one.id, "delivery": "idle",
		"interactionId": s.r.id(), "turnId": "0"})
	a.Emit("assistant.turn_start", object{"turnId": "0"})
	if s.r.Turn != nil {
		s.r.Turn(a, one.text)
	} else {
		a.Say("You said: " + one.text)
	}
	a.Emit("assistant.turn_end", object{"turnId": "0"})
}

// done ends a turn, also one whose goroutine ended, and starts the next.
func (s *Session) done(c *Conn) {
	s.mu.Lock()
	s.stop()
	aborted := s.aborted
	s.stop, s.aborted, s.steered = nil, false, nil
	gone := s.c != c
	more := len(s.queue) > 0
	s.mu.Unlock()
	if gone {
		return
	}
	idle := object{}
	if aborted {
		idle["aborted"] = true
	}
	s.Ephemeral("assistant.idle", idle)
	if !more {
		idle["mode"] = s.Mode()
		s.Ephemeral("session.idle", idle)
	}
	s.next()
}

// Emit sends an event that is stored, and returns its id.
func (s *Session) Emit(kind string, data any) string { return s.emit("", kind, data, false) }

// Ephemeral sends an event that is not stored, and returns its id.
func (s *Session) Ephemeral(kind string, data any) string { return s.emit("", kind, data, true) }

// emit sends an event of a child agent, or of the top level for "". Without a process it is only stored.
func (s *Session) emit(agent, kind string, data any, ephemeral bool) string {
	id := s.r.id()
	content, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	s.order.Lock()
	defer s.order.Unlock()
	e := object{"id": id, "timestamp": now(), "type": kind, "data": json.RawMessage(content), "parentId": nil}
	s.mu.Lock()
	if s.last != "" {
		e["parentId"] = s.last
	}
	if ephemeral {
		e["ephemeral"] = true
	} else {
		s.last = id
		s.events = append(s.events, protocol.Event{ID: id, Agent: agent, Type: kind, Data: content})
	}
	if agent != "" {
		e["agentId"] = agent
	}
	c := s.c
	s.mu.Unlock()
	if c != nil {
		c.Notify("session.event", object{"sessionId": s.ID, "event": e})
	}
	return id
}
