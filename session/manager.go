package session

import (
	"context"
	"time"
)

// Deps is what a [Manager] is made of. All fields but the ones marked optional are required.
type Deps struct {
	Agents    []Agent
	Journals  Journals
	Endpoints Endpoints
	// Unattended says that nobody is there to answer: every ask is denied at once with UnattendedReason.
	Unattended bool
	// Now and NewID are injected for tests; optional.
	Now   func() time.Time
	NewID func() string
	// FlushEvery is how often a streaming journal is flushed; optional, 250 ms.
	FlushEvery time.Duration
	// Branch returns the version-control branch of a directory, "" for none; optional.
	Branch func(dir string) string
}

// UnattendedReason is what the model reads when an ask is refused because nobody is there to answer it.
const UnattendedReason = "Refused: parley runs unattended and nobody can approve this. Go on without it, or say what would be needed."

// Manager owns all sessions of this process: drafts, queues, asks, lifetimes. It is safe for concurrent use.
type Manager struct{}

// NewManager makes a manager. It starts nothing.
func NewManager(d Deps) *Manager { panic("being written") }

// DraftOptions is what a new session begins with.
type DraftOptions struct {
	Agent    string // one of the manager's agents; empty: the first
	Dir      string // absolute and existing
	Dirs     []string
	Settings Settings
}

// Draft makes a new session at once. It owns no process, no journal and no endpoint until its first prompt is sent, and
// is listed nowhere until then.
func (m *Manager) Draft(o DraftOptions) (*Session, error) { panic("being written") }

// Resume loads a stored session, without locking it or starting anything. Errors are of kind [KindNotFound] or
// [KindCorrupt]. Resuming a session that is already open in this manager returns the same one.
func (m *Manager) Resume(ctx context.Context, id ID) (*Session, error) { panic("being written") }

// List describes the stored sessions of all agents, most recently updated first.
func (m *Manager) List(ctx context.Context) ([]Meta, error) { panic("being written") }

// Close closes every session, conversations before their endpoints, and waits for them at most until ctx ends. It may be
// called more than once.
func (m *Manager) Close(ctx context.Context) error { panic("being written") }

// Session is one conversation as whoever faces the user handles it. All methods are safe for concurrent use; none but
// Ask, Close and Wait blocks.
type Session struct{}

// ID returns the session's id, fixed from the draft on.
func (s *Session) ID() ID { panic("being written") }

// Meta describes the session as it is now.
func (s *Session) Meta() Meta { panic("being written") }

// Draft reports whether nothing has been sent yet.
func (s *Session) Draft() bool { panic("being written") }

// Settings returns what the user chose, as last set.
func (s *Session) Settings() Settings { panic("being written") }

// Attach returns every event so far and arranges that sink gets every later one, in order, exactly once, with nothing
// between the two. sink must not block and must not call back into the session. detach ends it.
func (s *Session) Attach(sink func(Event)) (history []Event, detach func()) { panic("being written") }

// Send queues a prompt and returns its id. It is delivered as soon as everything sent before it is done; until then the
// session emits Queued, and Unqueued when it is delivered. What goes wrong later is told by events.
func (s *Session) Send(p Prompt) (PromptID, error) { panic("being written") }

// Steer delivers a prompt into the running turn where the agent can, and queues it otherwise.
func (s *Session) Steer(p Prompt) (PromptID, error) { panic("being written") }

// Unqueue takes a waiting prompt back and returns it. It reports false if it no longer waits.
func (s *Session) Unqueue(id PromptID) (Prompt, bool) { panic("being written") }

// Ask sends a prompt and waits for the end of its turn. It is what headless callers use. The error is about delivery;
// how the turn went is in the result. Cancelling ctx aborts the turn.
func (s *Session) Ask(ctx context.Context, p Prompt) (TurnEnded, error) { panic("being written") }

// Abort interrupts the running turn and leaves the queue alone. It returns at once, also when the stream is dead.
func (s *Session) Abort() { panic("being written") }

// Answer answers an open ask, once. A later answer to the same ask is an error of kind [KindNotFound].
func (s *Session) Answer(ask AskID, a Answer) error { panic("being written") }

// Configure changes model, effort and mode from the next request on, and keeps them over restarts. A mode the agent does
// not support is an error of kind [KindUnsupported] that says why.
func (s *Session) Configure(v Settings) error { panic("being written") }

// Wait returns when nothing runs and nothing is queued, or ctx ends.
func (s *Session) Wait(ctx context.Context) error { panic("being written") }

// Close aborts what runs, closes the conversation, then the endpoint, then the journal. It may be called more than once.
func (s *Session) Close(ctx context.Context) error { panic("being written") }
