package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley/internal/crash"
	"parley/session"
	"parley/session/caps"
	"parley/session/library"
	"parley/session/scratch"
	"parley/session/store/bin"
	"parley/session/store/index"
	"parley/session/store/marks"
)

// Deps are the dependencies of a [Manager]. Fields are required unless marked optional.
type Deps struct {
	Agents    []session.Agent
	Journals  session.Journals
	Endpoints session.Endpoints
	// Unattended denies every ask at once with UnattendedReason, because no user can answer.
	Unattended bool
	// Now and NewID are optional, for tests. They may be called under a lock and must not call back.
	Now   func() time.Time
	NewID func() string
	// FlushEvery is the age at which a delta is flushed; optional, 200 ms. With the time to wake and write on a busy machine,
	// a kill loses at most the last 250 ms.
	FlushEvery time.Duration
	// Grace bounds the time from an interrupt to the end of the turn, after which the conversation is given up, and the time
	// that a given-up conversation may take to close; optional, 10 s.
	Grace time.Duration
	// Titler names sessions after their first answer; optional.
	Titler session.Titler
	// Branch returns the version-control branch of a directory, "" for none; optional.
	Branch func(dir string) string
	// Files keeps images of the files that tool calls change; optional.
	Files session.FileKeeper
	// Index stores the words of sessions for searches; optional.
	Index *index.Index
	// Caps bound what sessions cost; optional.
	Caps *caps.Keeper
	// Marks store the user's tags and pins; optional.
	Marks *marks.Store
	// Bin and Belongings take deleted sessions; see [library.Options].
	Bin        *bin.Bin
	Belongings func(id session.ID) []string
	// Scratch are the folders of sessions without a project.
	Scratch scratch.Folders
	// Rules keeps the rules of answers that last longer than their session; optional, without it they hold in the session.
	Rules session.RuleKeeper
	// Tools returns the tools of parley that a conversation of an agent gets; optional. It is called before each prompt, with no lock
	// held, and must not wait.
	Tools func(a session.Agent, o session.OpenOptions) []session.ClientTool
	// Modes limit the permission modes of all sessions; optional. No lock is held while they are called.
	Modes session.ModeLimits
}

// Manager owns all sessions of this process: drafts, queues, asks, lifetimes. It is safe for concurrent use.
type Manager struct {
	*library.Library
	d       Deps
	customs *customs

	mu       sync.Mutex
	sessions map[session.ID]*local
	closed   bool
	known    []session.Meta // by the last listing; never changed
}

// NewManager returns a manager without starting anything.
func NewManager(d Deps) *Manager {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.NewID == nil {
		d.NewID = uuid.NewString
	}
	if d.FlushEvery <= 0 {
		d.FlushEvery = 200 * time.Millisecond
	}
	if d.Grace <= 0 {
		d.Grace = 10 * time.Second
	}
	return &Manager{Library: library.New(library.Options{Agents: d.Agents, Journals: d.Journals, Files: d.Files, Index: d.Index, Marks: d.Marks,
		Bin: d.Bin, Belongings: d.Belongings, Scratch: d.Scratch}), d: d, customs: newCustoms(d.Now), sessions: map[session.ID]*local{}}
}

// DraftOptions are the options of a new session.
type DraftOptions struct {
	ID       session.ID // empty: a new one; that of an open session returns it
	Agent    string     // one of the manager's agents; empty: the first
	Dir      string     // absolute and existing
	Dirs     []string
	Settings session.Settings
	Caps     caps.Caps // of this session, in the place of the user's settings
}

var errClosed = errors.New("it is closed")

// Draft returns a new session at once. It has no process, journal or endpoint, and is not listed, until its first prompt.
// Errors are of kind [session.KindInvalid], or [session.KindUnsupported] for an unknown agent or a mode that the agent does
// not support. A session without a mode gets the one that the administrator wants.
func (m *Manager) Draft(o DraftOptions) (*Session, error) {
	const op = "new session"
	if !filepath.IsAbs(o.Dir) {
		return nil, &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("the directory %q is not absolute", o.Dir)}
	}
	agent := m.agent(o.Agent)
	if agent == nil || session.Foreign(o.Agent) {
		return nil, &session.Error{Op: op, Kind: session.KindUnsupported, Err: fmt.Errorf("there is no agent %q", o.Agent)}
	}
	if o.Settings.Mode == "" && m.d.forbidden("") != "" {
		o.Settings.Mode = m.d.instead("")
	}
	if err := m.d.checkMode(agent, o.Settings.Mode); err != nil {
		return nil, err
	}
	now := m.d.Now()
	if o.ID == "" {
		o.ID = session.ID(m.d.NewID())
	}
	meta := session.Meta{ID: o.ID, Agent: agent.Name(), Dir: o.Dir, Dirs: slices.Clone(o.Dirs), Created: now, Updated: now}
	if m.d.Branch != nil {
		meta.Branch = m.d.Branch(o.Dir)
	}
	s := newSession(m, agent, meta)
	s.state.choose(o.Settings)
	s.state.account.Cap(o.Caps)
	mine, err := m.register(op, s)
	if err != nil {
		return nil, err
	}
	return mine.handle, nil
}

// register adds s, or returns the session with its id.
func (m *Manager) register(op string, s *local) (*local, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, &session.Error{Op: op, Kind: session.KindInvalid, Err: errClosed}
	}
	if old := m.sessions[s.id]; old != nil {
		return old, nil
	}
	m.sessions[s.id] = s
	return s, nil
}

// agent returns the agent of that name, the first for an empty one, nil for an unknown one.
func (m *Manager) agent(name string) session.Agent {
	for _, a := range m.d.Agents {
		if name == "" || a.Name() == name {
			return a
		}
	}
	return nil
}

// Close closes every session, conversations before their endpoints, and waits until ctx ends. It may be called more than
// once.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	all := m.open()
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, s := range all {
		wg.Go(crash.Guarded(func() { errs[i] = s.Close(ctx) }))
	}
	wg.Wait()
	m.customs.close()
	return errors.Join(errs...)
}

// open returns all sessions of this process.
func (m *Manager) open() []*local {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.sessions))
}

// find returns an open session, nil if there is none.
func (m *Manager) find(id session.ID) *local {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sessions[id]
}

// forget removes a closed session.
func (m *Manager) forget(s *local) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sessions[s.id] == s {
		delete(m.sessions, s.id)
	}
}
