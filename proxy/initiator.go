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

// Who a request counts as coming from. On plans that are billed by requests, only those of the user are charged; the
// requests with which an agent goes on by itself belong to the one before.
const (
	byUser  = "user"
	byAgent = "agent"
)

// claudeSession is the header by which requests of the Claude Code runtime are known.
const claudeSession = "X-Claude-Code-Session-Id"

// What the Claude Code runtime itself puts among the words of the user, by their beginnings.
const (
	claudeReminder    = "<system-reminder>"
	claudeInterrupted = "[Request interrupted by user"
)

// initiatorOf returns who wants an answer to a message of the user's side: the user, unless it brings results of tools and
// no words of the user behind them. The Claude Code runtime puts words of its own behind results; the user's are those
// that follow its note of an interruption.
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

// findings are what the blocks of a message tell about whose it is.
type findings struct {
	claude  bool // the client is the Claude Code runtime
	result  bool // there is a result of a tool
	stopped bool // behind it, a note that the user interrupted the runtime
	words   bool // behind it, words of the user
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

// readWords judges words that follow a result.
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
	// followWithin is how long after an answer broke off a request for the same belongs to it.
	followWithin = time.Minute
	// mostBroken bounds how many such answers a session remembers.
	mostBroken = 16
)

// turns remembers the answers to requests of the user that broke off. A client that gives up streaming asks for each once
// more, whole; that is not a new prompt of the user. The zero value remembers none. Safe for concurrent use.
type turns struct {
	mu     sync.Mutex
	broken []brokenAnswer // oldest first
}

// brokenAnswer is an answer that broke off, and when.
type brokenAnswer struct {
	turn turn
	at   time.Time
}

// turn identifies a conversation as it is. The zero value is none.
type turn struct {
	size int
	hash uint64
	id   string // of the conversation, where the client says so
}

// turnSeed makes the hashes of this process its own.
var turnSeed = maphash.MakeSeed()

// turnOf identifies the conversation of a request.
func (m messageBody) turnOf(body []byte, client http.Header) turn {
	return turn{
		size: m.messages.To - m.messages.From + 1,
		hash: maphash.Bytes(turnSeed, body[m.messages.From:m.messages.To]),
		id:   conversationOf(client),
	}
}

// noteBroken remembers an answer that broke off now.
func (t *turns) noteBroken(asked turn, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetLocked(asked, now)
	if len(t.broken) >= mostBroken {
		t.broken = slices.Delete(t.broken, 0, 1)
	}
	t.broken = append(t.broken, brokenAnswer{asked, now})
}

// follows reports whether the answer of the conversation as it is broke off a moment ago.
func (t *turns) follows(asked turn, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetLocked(turn{}, now)
	return slices.ContainsFunc(t.broken, func(b brokenAnswer) bool { return b.turn == asked })
}

// settle forgets the broken answer of a conversation, which has its answer now.
func (t *turns) settle(asked turn, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forgetLocked(asked, now)
}

// forgetLocked drops a turn, and all that are too old. The lock is held.
func (t *turns) forgetLocked(asked turn, now time.Time) {
	t.broken = slices.DeleteFunc(t.broken, func(b brokenAnswer) bool {
		return b.turn == asked || now.Sub(b.at) > followWithin
	})
}

// chooseInitiator decides who the request counts as coming from. What the user starts must count as the user's: a client
// may claim a request for the user with a header, and never for the agent.
func (c *call) chooseInitiator(m messageBody, body []byte) string {
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

// brokeOff notes that the answer ended before its end through a fault of the service.
func (c *call) brokeOff() {
	if c.turn != (turn{}) {
		c.session.turns.noteBroken(c.turn, c.s.clock.now())
	}
}

// answered notes that the service has answered to the end.
func (c *call) answered() {
	if c.turn != (turn{}) {
		c.session.turns.settle(c.turn, c.s.clock.now())
	}
}

// interactionSpace is the namespace of interaction ids; it is random and has no other meaning.
var interactionSpace = uuid.MustParse("8f0c5c0e-6d5b-4f2a-9c57-2b1f6f1d7a43")

// interactionID names the conversation for the service, which finds the cached prompt by it. It is the same for all
// requests of a session, also after a restart, and says nothing about the session. Several conversations of Claude Code
// may share a bearer; they are told apart by the id Claude Code sends.
func interactionID(session string, client http.Header) string {
	if v := conversationOf(client); v != "" {
		session += "\x00" + v
	}
	return uuid.NewSHA1(interactionSpace, []byte(session)).String()
}

// conversationOf returns what a client calls its conversation, "" if it does not say.
func conversationOf(client http.Header) string {
	for _, name := range []string{"X-Interaction-Id", claudeSession} {
		if v := client.Get(name); v != "" && len(v) <= 128 {
			return v
		}
	}
	return ""
}
