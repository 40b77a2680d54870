package proxy

import (
	"hash/maphash"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"parley/copilot/jsonedit"
)

// Who a request counts as coming from. On plans that are billed by requests, only those of the user are charged; the
// requests with which an agent goes on by itself belong to the one before.
const (
	byUser  = "user"
	byAgent = "agent"
)

// initiatorOf tells from the last message who wants an answer to it: the user, unless it brings results of tools or is the
// model's own. What a runtime adds to the results (reminders, contents of files) does not make it the user's.
func initiatorOf(last []byte) string {
	by := byUser
	s := jsonedit.Scan(last)
	for ok := s.TopObject(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case kind == '"' && s.Is(key, "role"):
			if p := s.Value(); !s.Is(p, "user") {
				by = byAgent
			}
		case kind == '[' && s.Is(key, "content"):
			if hasResult(&s) {
				by = byAgent
			}
		default:
			s.Value()
		}
	}
	return by
}

// hasResult consumes the content of a message and reports whether there is a result of a tool in it.
func hasResult(s *jsonedit.Scanner) (found bool) {
	for ok := s.Array(); ok; ok = s.NextElement() {
		if s.Kind() != '{' {
			s.Value()
			continue
		}
		for ok := s.Object(); ok; ok = s.NextMember() {
			key, kind := s.Key(), s.Kind()
			if p := s.Value(); kind == '"' && s.Is(key, "type") && s.Is(p, "tool_result") {
				found = true
			}
		}
	}
	return found
}

// turns remembers the last request of a session that counted as the user's and was answered. When the same comes again,
// because the answer broke off and the client goes on without streaming, it is not a new wish of the user.
type turns struct {
	mu   sync.Mutex
	last turn
}

// turn identifies a conversation as it is: by its last message and by how much comes before. The zero value is none.
type turn struct {
	size int
	hash uint64
}

// turnSeed makes the hashes of this process its own.
var turnSeed = maphash.MakeSeed()

// turnOf identifies the conversation of a request.
func (m messageBody) turnOf(body []byte) turn {
	return turn{m.messages.To - m.messages.From + 1, maphash.Bytes(turnSeed, body[m.last.From:m.last.To])}
}

// answered reports whether the conversation was answered already as it is.
func (t *turns) answered(asked turn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last == asked
}

// note remembers an answer.
func (t *turns) note(asked turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = asked
}

// chooseInitiator decides who the request counts as coming from. A client that knows better says so with a header of its
// own: of an agent that works for another one, the body does not tell it from the user.
func (c *call) chooseInitiator(m messageBody, body []byte) string {
	if v := c.r.Header.Get("X-Initiator"); v == byUser || v == byAgent {
		return v
	}
	if m.probe || initiatorOf(body[m.last.From:m.last.To]) == byAgent {
		return byAgent
	}
	c.turn = m.turnOf(body)
	if c.session.turns.answered(c.turn) {
		return byAgent
	}
	return byUser
}

// answered notes that the service has begun to answer.
func (c *call) answered() {
	if c.turn != (turn{}) {
		c.session.turns.note(c.turn)
	}
}

// interactionSpace is the namespace of interaction ids; it is random and has no other meaning.
var interactionSpace = uuid.MustParse("8f0c5c0e-6d5b-4f2a-9c57-2b1f6f1d7a43")

// interactionID names the conversation for the service, which finds the cached prompt by it. It is the same for all
// requests of a session, also after a restart, and says nothing about the session. Several conversations of Claude Code
// may share a bearer; they are told apart by the id Claude Code sends.
func interactionID(session string, client http.Header) string {
	if v := client.Get("X-Interaction-Id"); v != "" && len(v) <= 128 {
		session += "\x00" + v
	} else if v := client.Get("X-Claude-Code-Session-Id"); v != "" && len(v) <= 128 {
		session += "\x00" + v
	}
	return uuid.NewSHA1(interactionSpace, []byte(session)).String()
}
