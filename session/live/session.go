package live

import (
	"context"
	"fmt"
	"parley/session"
	"slices"
	"sync"
	"time"
)

// Session is one conversation as whoever faces the user handles it. All methods are safe for concurrent use; none but
// Ask, Close and Wait blocks.
//
// Inside, one lock guards the state and is never held across a call out. Everything that happens goes through say, which
// appends to the history, to what the sinks still have to see and to what the journal still has to keep, in one order.
// Three goroutines work that off, each living only while there is something to do: pump calls the sinks, work delivers
// prompts one after the other, and keep writes the journal while the session holds one. A session that is only looked at
// holds none; keepSoon opens it when the user chooses something.
type Session struct {
	m     *Manager
	id    session.ID
	agent session.Agent // nil if the session's agent is not among the manager's

	mu       sync.Mutex
	meta     session.Meta
	settings session.Settings
	log      session.Record
	feed     feed
	// turns are all turns ever begun; true while one runs.
	turns map[session.TurnID]bool
	asks  map[session.AskID]*openAsk
	// gen is the newest generation that spoke; speaker is the generation given to whoever may speak now, 0 for nobody.
	gen, speaker session.Generation

	queue   []*item
	current *item // being delivered
	working bool  // the goroutine work runs

	conv      session.Conversation
	endpoint  session.Endpoint
	hasPort   bool          // endpoint is open
	port      chan struct{} // holds one: whoever opens or closes the endpoint
	warm      *warmth       // nil if nothing is prepared for the next prompt
	coldUntil time.Time     // until then nothing is prepared, because that has failed
	// waking says that the conversation is being woken; until awakeUntil it is taken for awake.
	waking     bool
	awakeUntil time.Time
	stored     bool // a journal exists
	resumed    bool // it existed before
	read       readMark
	journal    *journalLoop
	unwritten  []toWrite
	unflushed  time.Time // when the oldest delta among unwritten was said, zero if there is none
	// keeping is closed when what the user chose has been stored in the background, or could not be; nil if that does not
	// go on. unkeptTold says that the user knows that it could not.
	keeping    chan struct{}
	unkeptTold bool
	// elsewhere says that another living process had the session when it was read; hidden are the asks and waiting prompts
	// that are its business.
	elsewhere bool
	hidden    []session.Event
	// retired are closed when a conversation that was given up is gone.
	retired []chan struct{}

	opened      session.Settings // what the conversation was told last
	configuring bool

	life    context.Context // ends when Close begins
	endLife context.CancelFunc
	closed  bool
	shut    chan struct{} // closed when Close is done
	shutErr error
	idle    []chan struct{} // closed when something is over
}

func newSession(m *Manager, a session.Agent, meta session.Meta) *Session {
	life, end := context.WithCancel(context.Background())
	return &Session{m: m, id: meta.ID, agent: a, meta: meta, turns: map[session.TurnID]bool{}, asks: map[session.AskID]*openAsk{},
		port: make(chan struct{}, 1), life: life, endLife: end, shut: make(chan struct{})}
}

// ID returns the session's id, fixed from the draft on.
func (s *Session) ID() session.ID { return s.id }

// Meta describes the session as it is now.
func (s *Session) Meta() session.Meta {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.meta
	m.Dirs = slices.Clone(m.Dirs)
	m.Model = s.settings.Model
	m.Turns = len(s.turns)
	return m
}

// Draft reports whether nothing has been sent yet. A session whose first prompt could not even be stored is a draft
// still; one whose first prompt was stored but could not be delivered is none, and sending again tries again.
func (s *Session) Draft() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.stored && !s.resumed
}

// Settings returns what the user chose, as last set.
func (s *Session) Settings() session.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

// head returns the head of an event of the manager's own. The lock is held.
func (s *Session) head(turn session.TurnID) session.Head {
	return session.Head{Session: s.id, Turn: turn, Gen: s.gen, At: s.m.d.Now()}
}

func (s *Session) fail(op string, kind session.Kind, format string, args ...any) error {
	return &session.Error{Op: op, Kind: kind, Err: fmt.Errorf(format, args...)}
}
