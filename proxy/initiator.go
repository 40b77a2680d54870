package proxy

import (
	"hash/maphash"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley/internal/jsonedit"
)

// The initiators of a request. Plans billed by request charge only those of the user; the requests with which an agent
// continues belong to the one before.
const (
	byUser  = "user"
	byAgent = "agent"
)

// claudeSession is the header that identifies requests of the Claude Code runtime.
const claudeSession = "X-Claude-Code-Session-Id"

// The beginnings of texts that the Claude Code runtime adds to the user's.
const (
	claudeReminder    = "<system-reminder>"
	claudeInterrupted = "[Request interrupted by user"
)

// initiatorOf returns the initiator of a message of the user's side: the user, unless it has tool results and no text
// of the user after them. The Claude Code runtime adds texts after results; the user's text follows its note of an
// interruption.
func initiatorOf(message []byte, claude bool) string {
	f := findings{claude: claude}
	s := jsonedit.Scan(message)
	for ok := s.TopObject(); ok; ok = s.NextMember() {
		if key, kind := s.Key(), s.Kind(); kind == '[' && s.Is(key, "content") {
			f.readBlocks(&s)
		} else {
			s.Value()
		}
	}
	if f.result && !f.words {
		return byAgent
	}
	return byUser
}

// findings holds the facts about a message's author that its blocks show.
type findings struct {
	claude  bool // the client is the Claude Code runtime
	result  bool // there is a tool result
	stopped bool // after it, a note that the user interrupted the runtime
	words   bool // after it, text of the user
}

// readBlocks consumes the content of a message.
func (f *findings) readBlocks(s *jsonedit.Scanner) {
	for ok := s.Array(); ok; ok = s.NextElement() {
		if s.Kind() != '{' {
			s.Value()
			continue
		}
		var kind, text jsonedit.Span
		for ok := s.Object(); ok; ok = s.NextMember() {
			key, sort := s.Key(), s.Kind()
			switch p := s.Value(); {
			case sort == '"' && s.Is(key, "type"):
				kind = p
			case sort == '"' && s.Is(key, "text"):
				text = p
			}
		}
		switch {
		case kind.To == 0:
		case s.Is(kind, "tool_result"):
			f.result, f.stopped, f.words = true, false, false
		case f.result && s.Is(kind, "text") && text.To > 0:
			f.readWords(strings.TrimSpace(s.String(text)))
		}
	}
}

// readWords classifies text after a result.
func (f *findings) readWords(text string) {
	switch {
	case text == "", strings.HasPrefix(text, claudeReminder):
	case strings.HasPrefix(text, claudeInterrupted):
		f.stopped = true
	case f.stopped || !f.claude:
		f.words = true
	}
}

const (
	// followWithin is the time after an interrupted answer in which a request for the same one is part of it.
	followWithin = time.Minute
	// maxBroken bounds the interrupted answers that a session remembers.
	maxBroken = 16
)

// turns remembers the interrupted answers to requests of the user. A client that gives up streaming requests each once
// more, as a whole; that is not a new prompt of the user. The zero value is empty. It is safe for concurrent use.
type turns struct {
	mu     sync.Mutex
	broken []brokenAnswer // oldest first
}

// brokenAnswer is an interrupted answer with its time.
type brokenAnswer struct {
	turn turn
	at   time.Time
}

// turn identifies the state of a conversation. The zero value is none.
type turn struct {
	size int
	hash uint64
	id   string // of the conversation, if the client sends one
}

// turnSeed makes the hashes unique to this process.
var turnSeed = maphash.MakeSeed()

// turnOf returns the turn of a request.
func (m messageBody) turnOf(body []byte, client http.Header) turn {
	return turn{
		size: m.messages.To - m.messages.From + 1,
		hash: maphash.Bytes(turnSeed, body[m.messages.From:m.messages.To]),
		id:   conversationOf(client),
	}
}

// noteBroken records an answer that was interrupted now.
func (t *turns) noteBroken(asked turn, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetLocked(asked, now)
	if len(t.broken) >= maxBroken {
		t.broken = slices.Delete(t.broken, 0, 1)
	}
	t.broken = append(t.broken, brokenAnswer{asked, now})
}

// follows reports whether the answer to the same state of the conversation was interrupted a moment ago.
func (t *turns) follows(asked turn, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetLocked(turn{}, now)
	return slices.ContainsFunc(t.broken, func(b brokenAnswer) bool { return b.turn == asked })
}

// settle removes the interrupted answer of a conversation that has now been answered.
func (t *turns) settle(asked turn, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetLocked(asked, now)
}

// forgetLocked removes a turn, and all that are too old. The lock is held.
func (t *turns) forgetLocked(asked turn, now time.Time) {
	t.broken = slices.DeleteFunc(t.broken, func(b brokenAnswer) bool {
		return b.turn == asked || now.Sub(b.at) > followWithin
	})
}

// chooseInitiator returns the initiator of a request. A turn that the user begins must count as the user's: a client's
// header may claim a request for the user, but never for the agent, unless the client is this program's own.
func (c *call) chooseInitiator(m messageBody, body []byte) string {
	if by := c.r.Header.Get("X-Initiator"); c.session.initiates && by == byAgent {
		return byAgent
	}
	claude := c.r.Header.Get(claudeSession) != ""
	if m.probe && !m.stream && m.messages == m.asked && claude {
		return byAgent
	}
	if c.r.Header.Get("X-Initiator") != byUser && initiatorOf(body[m.asked.From:m.asked.To], claude) == byAgent {
		return byAgent
	}
	c.turn = m.turnOf(body, c.r.Header)
	if !m.stream && c.session.turns.follows(c.turn, c.x.Began) {
		return byAgent
	}
	return byUser
}

// brokeOff records that a fault of the service ended the answer early.
func (c *call) brokeOff() {
	if c.turn != (turn{}) {
		c.session.turns.noteBroken(c.turn, c.s.clock.now())
	}
}

// answered records that the service has answered completely.
func (c *call) answered() {
	if c.turn != (turn{}) {
		c.session.turns.settle(c.turn, c.s.clock.now())
	}
}

// interactionSpace is the random namespace of interaction ids.
var interactionSpace = uuid.MustParse("8f0c5c0e-6d5b-4f2a-9c57-2b1f6f1d7a43")

// interactionID returns the id of the conversation by which the service finds the cached prompt. All requests of a
// session have the same id, also after a restart, and it reveals nothing about the session. Conversations of Claude
// Code that share a bearer differ in the id that Claude Code sends.
func interactionID(session string, client http.Header) string {
	if v := conversationOf(client); v != "" {
		session += "\x00" + v
	}
	return uuid.NewSHA1(interactionSpace, []byte(session)).String()
}

// conversationOf returns the client's id of the conversation, "" for none.
func conversationOf(client http.Header) string {
	for _, name := range []string{"X-Interaction-Id", claudeSession} {
		if v := client.Get(name); v != "" && len(v) <= 128 {
			return v
		}
	}
	return ""
}
