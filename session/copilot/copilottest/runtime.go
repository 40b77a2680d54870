package copilottest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parley/session/copilot/protocol"
)

// Form is how requests and events name the child agent that makes them.
type Form int

// The forms. In the forms of real runtimes the outer session id is always that of the parent.
const (
	// Real is the form of 1.0.102: agentId in events, the child's native session as owner.
	Real Form = iota
	// Doubled is the form of 1.0.85 and 1.0.89: no agentId in requests, and calls of tools are announced twice, first with
	// the child's native session as their session.
	Doubled
	// Remote is the form that no runtime has: the start of a child has its session id as remoteSessionId, and each request
	// has that id as its session.
	Remote
)

// Runtime plays a runtime that behaves well. Its fields are set before it starts. Sessions outlive its processes, so that a
// session can be resumed by the next one.
type Runtime struct {
	// Protocol is 2 or 3; 0: 3. Version is the version it reports; "": 1.0.102.
	Protocol int
	Version  string
	// PingOnly refuses the handshake "connect", as runtimes up to 1.0.40 do.
	PingOnly bool
	Form     Form
	// Model is the model of new sessions without one; "": claude-sonnet-5.
	Model string
	// Turn plays the turn of a prompt. Nil: it says "You said: " and the prompt.
	Turn func(a *Actor, prompt string)
	// Handle may answer a request in the runtime's place. Nil, or taken false: the runtime answers.
	Handle func(c *Conn, m Message) (result any, err error, taken bool)

	mu       sync.Mutex
	stored   map[string]*Session // by id
	requests []Message
	serial   int
}

// Play is the [Script] of the runtime.
func (r *Runtime) Play(c *Conn) {
	r.mu.Lock()
	if r.stored == nil {
		r.stored = map[string]*Session{}
	}
	r.mu.Unlock()
	defer r.leave(c)
	for {
		m, ok := c.Read()
		if !ok {
			return
		}
		if m.Method == "" {
			c.answered(m)
			continue
		}
		r.mu.Lock()
		r.requests = append(r.requests, m)
		r.mu.Unlock()
		if r.Handle != nil {
			if result, err, taken := r.Handle(c, m); taken {
				c.Reply(m.ID, result, err)
				continue
			}
		}
		result, err := r.answer(c, m)
		c.Reply(m.ID, result, err)
		if m.Method == "session.send" && err == nil {
			r.session(m.Text("sessionId")).next()
		}
	}
}

// leave ends the turns of a process that ends.
func (r *Runtime) leave(c *Conn) {
	r.mu.Lock()
	all := slices.Collect(maps.Values(r.stored))
	r.mu.Unlock()
	for _, s := range all {
		s.leave(c)
	}
}

// Requests returns the requests and notifications of the driver for a method so far, all of them for "".
func (r *Runtime) Requests(method string) []Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Message
	for _, m := range r.requests {
		if method == "" || m.Method == method {
			out = append(out, m)
		}
	}
	return out
}

// Session returns a session by its id, nil if unknown.
func (r *Runtime) Session(id string) *Session { return r.session(id) }

func (r *Runtime) session(id string) *Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stored[id]
}

// id returns a new id of the shape of a UUID.
func (r *Runtime) id() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serial++
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", r.serial)
}

func (r *Runtime) protocol() int {
	if r.Protocol == 0 {
		return 3
	}
	return r.Protocol
}

func (r *Runtime) version() string {
	if r.Version == "" {
		return "1.0.102"
	}
	return r.Version
}

// answer answers a request.
func (r *Runtime) answer(c *Conn, m Message) (any, error) {
	switch m.Method {
	case "connect":
		if r.PingOnly {
			break
		}
		return object{"ok": true, "protocolVersion": r.protocol(), "version": r.version()}, nil
	case "ping":
		return object{"message": "pong", "timestamp": time.Now().UnixMilli(), "protocolVersion": r.protocol()}, nil
	case "status.get":
		return object{"version": r.version(), "protocolVersion": r.protocol()}, nil
	case "auth.getStatus":
		return object{"isAuthenticated": true, "authType": "env", "statusMessage": "signed in"}, nil
	case "models.list":
		return object{"models": []object{{"id": "claude-sonnet-5", "name": "Claude Sonnet 5"}}}, nil
	case "runtime.shutdown":
		return object{}, nil
	case "session.create":
		return r.create(c, m)
	case "session.resume":
		return r.resume(c, m)
	case "session.list":
		return r.list(), nil
	}
	if id := m.Text("sessionId"); id != "" {
		s := r.session(id)
		if s == nil || s.on() != c {
			return nil, Failed(m.Method, "Session not found for sessionId: "+id)
		}
		if result, err, known := s.answer(m); known {
			return result, err
		}
	}
	return nil, &Error{Code: -32601, Message: "Unhandled method " + m.Method}
}

// create makes a session. Its first event is sent before the answer.
func (r *Runtime) create(c *Conn, m Message) (any, error) {
	s := &Session{ID: m.Text("sessionId"), r: r}
	if s.ID == "" {
		s.ID = r.id()
	}
	r.mu.Lock()
	r.stored[s.ID] = s
	r.mu.Unlock()
	s.open(c, m)
	s.Emit("session.start", object{"sessionId": s.ID, "version": 1, "copilotVersion": r.version(), "context": object{"cwd": m.Text("workingDirectory")},
		"alreadyInUse": false})
	return s.opened(), nil
}

// resume opens a session again.
func (r *Runtime) resume(c *Conn, m Message) (any, error) {
	s := r.session(m.Text("sessionId"))
	if s == nil {
		return nil, Failed(m.Method, "Failed to load session events: Session not found: "+m.Text("sessionId"))
	}
	s.open(c, m)
	s.Emit("session.resume", object{"resumeTime": now(), "eventCount": len(s.Events()), "context": object{"cwd": m.Text("workingDirectory")},
		"alreadyInUse": false, "sessionWasActive": false})
	return s.opened(), nil
}

func (r *Runtime) list() any {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := []object{}
	for _, id := range slices.Sorted(maps.Keys(r.stored)) {
		all = append(all, object{"sessionId": id, "startTime": now(), "modifiedTime": now(), "isRemote": false})
	}
	return object{"sessions": all}
}

func now() string { return time.Now().UTC().Format(time.RFC3339Nano) }

// created are the parameters of session.create and session.resume that the runtime uses.
type created struct {
	Model     string           `json:"model"`
	Dir       string           `json:"workingDirectory"`
	Tools     []protocol.Tool  `json:"tools"`
	Agents    []protocol.Agent `json:"customAgents"`
	Hooks     bool             `json:"hooks"`
	Asks      bool             `json:"requestPermission"`
	UserInput bool             `json:"requestUserInput"`
}
