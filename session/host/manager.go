package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/live"
	"parley/session/terminals"
)

// startTime is how long a host may take to start.
const startTime = 15 * time.Second

// ClientOptions are what a screen needs to work with a host. Fields are required unless marked optional.
type ClientOptions struct {
	Place Place
	// Dirs are the folders in which other hosts may be, see [Dirs]; optional, that of the place.
	Dirs []string
	// Local reads what is stored, and describes agents.
	Local   *live.Manager
	Program string // the version of parley
	// Environ is the environment of the terminal, of which prompts carry what [terminals.Of] returns; nil: they carry nothing.
	Environ []string
	// Open opens a file in the user's editor for an agent, at a line unless that is 0. With OpenWaits it takes the terminal and returns once
	// the user has left the editor. Nil: it cannot.
	Open      func(ctx context.Context, path string, line int) error
	OpenWaits bool
	// Spawn starts a host of the place, and returns at once with what says why that process ended, nil where it had to, and is closed
	// then. Until then it is not called again: a host that is slow to start gets no second one beside it. Nil: none is started.
	Spawn func() (ended <-chan error, err error)
}

// Manager is a screen's side of a host: sessions run there, and stored ones are read here. It is safe for concurrent use.
type Manager struct {
	*live.Manager
	o    ClientOptions
	life context.Context // ends with the manager
	end  context.CancelFunc

	connecting sync.Mutex // held while the control connection is made
	mu         sync.Mutex
	starting   <-chan error // closed when the host that was started last has ended; nil: none was started
	failures   int          // of starts in a row
	control    *conn
	sessions   map[session.ID]*mirror
}

// NewManager returns a manager without connecting to anything.
func NewManager(o ClientOptions) *Manager {
	if o.Environ != nil {
		o.Environ = terminals.Of(o.Environ)
	}
	if o.Dirs == nil {
		o.Dirs = []string{o.Place.Dir}
	}
	m := &Manager{Manager: o.Local, o: o, sessions: map[session.ID]*mirror{}}
	m.life, m.end = context.WithCancel(context.Background())
	return m
}

// Start connects to the host in the background, and starts one if there is none: it is ready when the first prompt is.
func (m *Manager) Start() {
	crash.Go(func() { _, _ = m.controlled(m.life) }) // a prompt meets the same problem and reports it
}

// connect connects to a host, and starts that of the manager's place if none answers.
func (m *Manager) connect(ctx context.Context, p Place) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	var spawned time.Time
	for {
		c, err := dial(ctx, p, m.o.Program)
		switch kind := session.KindOf(err); {
		case err == nil:
			m.mu.Lock()
			m.failures = 0
			m.mu.Unlock()
			return c, nil
		case kind == session.KindUnsupported || kind == session.KindForbidden:
			return nil, err
		case p != m.o.Place || m.o.Spawn == nil:
			return nil, &session.Error{Op: "connect to the session host", Kind: session.KindNotFound, Err: fmt.Errorf("none runs: %w", err)}
		}
		if time.Since(spawned) > 250*time.Millisecond {
			spawned = time.Now()
			if err := m.spawn(); err != nil {
				return nil, unstarted(err)
			}
		}
		select {
		case <-time.After(4 * time.Millisecond):
		case <-ctx.Done():
			if errors.Is(err, os.ErrDeadlineExceeded) {
				return nil, silentAt("connect to the session host", p)
			}
			return nil, unstarted(fmt.Errorf("it doesn't answer: %w", err))
		}
	}
}

// unstartable is why no host can be started.
type unstartable struct{ error }

func unstarted(why error) error {
	return &session.Error{Op: "start the session host", Kind: session.KindRuntime, Err: unstartable{why}}
}

// Unwrap returns the cause.
func (u unstartable) Unwrap() error { return u.error }

// Words returns what the user reads.
func (u unstartable) Words() (what, next string) {
	return "The session host can't be started: " + u.Error() + ".", "With PARLEY_SESSIONS_OUTLIVE=false parley works without one."
}

// maxFailures is how often in a row a host may fail to start before the user reads why.
const maxFailures = 3

// spawn starts a host, unless the one that was started last still runs: it is about to answer, or to find that another one does.
func (m *Manager) spawn() error {
	m.mu.Lock()
	last := m.starting
	m.mu.Unlock()
	if last != nil {
		select {
		case why := <-last:
			if err := m.failed(why); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	ended, err := m.o.Spawn()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.starting = ended
	return err
}

// failed counts a host that ended before it answered. It returns why after the last of several, and counts anew then.
func (m *Manager) failed(why error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if why == nil { // another host was faster, or this one ended later
		return nil
	}
	if m.failures++; m.failures < maxFailures {
		return nil
	}
	m.failures, m.starting = 0, nil
	return why
}

// controlled returns the connection for what concerns no single session.
func (m *Manager) controlled(ctx context.Context) (*conn, error) {
	m.connecting.Lock()
	defer m.connecting.Unlock()
	m.mu.Lock()
	c := m.control
	m.mu.Unlock()
	if c != nil {
		if ended, _ := c.over(); !ended {
			return c, nil
		}
	}
	c, err := m.connect(ctx, m.o.Place)
	if err != nil {
		return nil, err
	}
	c.start()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.life.Err() != nil {
		c.c.Close()
		return nil, m.life.Err()
	}
	m.control = c
	return c, nil
}

// ask asks the host of a place what concerns no connected session.
func (m *Manager) ask(ctx context.Context, p Place, do string, args, result any) error {
	if p != m.o.Place {
		return Ask(ctx, p, m.o.Program, do, args, result)
	}
	c, err := m.controlled(ctx)
	if err != nil {
		return err
	}
	return c.call(ctx, do, args, result, nil)
}

// Ask asks the host of a place, and closes the connection. The error is of kind [session.KindNotFound] if none runs.
func Ask(ctx context.Context, p Place, program, do string, args, result any) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	c, err := dial(ctx, p, program)
	switch kind := session.KindOf(err); {
	case err == nil:
	case kind == session.KindUnsupported || kind == session.KindForbidden:
		return err
	case errors.Is(err, os.ErrDeadlineExceeded): // a process that was stopped accepts connections
		return silentAt("connect to the session host", p)
	default:
		return &session.Error{Op: "connect to the session host", Kind: session.KindNotFound, Err: fmt.Errorf("none runs: %w", err)}
	}
	c.start()
	defer func() {
		c.c.Close()
		<-c.done
	}()
	err = c.call(ctx, do, args, result, nil)
	if errors.Is(err, context.DeadlineExceeded) {
		return silentAt(do, p)
	}
	return err
}

// placeOf returns the place of the host that has a session, the manager's own if none of those known has.
func (m *Manager) placeOf(ctx context.Context, id session.ID) Place {
	if p, is := m.hostOf(ctx, id); is {
		return p
	}
	return m.o.Place
}

// hostOf returns the place of the host that has a session, false if none of those known has.
func (m *Manager) hostOf(ctx context.Context, id session.ID) (Place, bool) {
	if pid, held := m.Manager.Holder(ctx, id); held && pid != os.Getpid() {
		for _, e := range Entries(ctx, m.o.Dirs...) {
			if e.Pid == pid && e.Version == Version {
				return e.Place, true
			}
		}
	}
	return Place{}, false
}

// Holder returns the process that has a session, false if none has: one in a host can be taken up here too.
func (m *Manager) Holder(ctx context.Context, id session.ID) (pid int, held bool) {
	if _, hosted := m.hostOf(ctx, id); hosted {
		return 0, false
	}
	return m.Manager.Holder(ctx, id)
}

// Draft returns a new session at once. The host has it from the first prompt, or when the user begins to type.
func (m *Manager) Draft(o live.DraftOptions) (*live.Session, error) {
	made, err := m.Manager.Draft(o) // it checks the options
	if err != nil {
		return nil, err
	}
	events, forget := made.Attach(func(session.Event) {})
	forget()
	o.ID, o.Agent, o.Settings = made.ID(), made.Meta().Agent, made.Settings()
	s := newMirror(m, o.ID, m.o.Place)
	s.draft, s.now = &o, known{Meta: made.Meta(), Draft: true, Settings: made.Settings()}
	s.log.Add(events...)
	crash.Go(func() { _ = made.Close(m.life) })
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions[s.id] = s
	return s.handle, nil
}

// Resume connects to a session in the host that has it, which loads a stored one. The same one is returned while it is open here.
func (m *Manager) Resume(ctx context.Context, id session.ID) (*live.Session, error) {
	p := m.placeOf(ctx, id)
	m.mu.Lock()
	s := m.sessions[id]
	if s == nil {
		s = newMirror(m, id, p)
		m.sessions[id] = s
	}
	m.mu.Unlock()
	if s.draft != nil {
		return s.handle, nil
	}
	if _, err := s.attached(ctx); err != nil {
		_ = s.close(ctx)
		return nil, err
	}
	return s.handle, nil
}

// Fork copies a session in the host, and connects to the copy.
func (m *Manager) Fork(ctx context.Context, id session.ID, upTo session.TurnID) (*live.Session, error) {
	var copied session.ID
	p := m.placeOf(ctx, id)
	if err := m.ask(ctx, p, "fork", forking{id, upTo}, &copied); err != nil {
		return nil, err
	}
	return m.Resume(ctx, copied)
}

// Rename gives a stored session a title in the host, where one without a journal may be open that no lock shows; here without a host.
func (m *Manager) Rename(ctx context.Context, id session.ID, title string) (kept string, err error) {
	err = m.ask(ctx, m.placeOf(ctx, id), "rename", renaming{id, title}, &kept)
	if kind := session.KindOf(err); kind != "" && kind != session.KindInvalid && kind != session.KindLocked {
		return m.Manager.Rename(ctx, id, title)
	}
	return kept, err
}

// Truster returns the store of decisions about directories. A decision also discards what the host prepared without it.
func (m *Manager) Truster(agent string) session.RepositoryTruster {
	t := m.Manager.Truster(agent)
	if t == nil {
		return nil
	}
	return truster{t, m, agent}
}

// truster stores decisions about directories of an agent's sessions.
type truster struct {
	session.RepositoryTruster
	m     *Manager
	agent string
}

// Trust records a decision.
func (t truster) Trust(ctx context.Context, dir string, items []session.RepositoryItem, yes bool) error {
	err := t.RepositoryTruster.Trust(ctx, dir, items, yes)
	if err == nil {
		_ = t.m.ask(ctx, t.m.o.Place, "trusted", trusting{t.agent, dir}, nil) // without a host nothing was prepared
	}
	return err
}

// GoesOn returns the sessions of this screen that go on without it.
func (m *Manager) GoesOn(ctx context.Context) (all []Doing) {
	ctx, cancel := context.WithTimeout(ctx, replyTime)
	defer cancel()
	m.mu.Lock()
	mine := maps.Clone(m.sessions)
	m.mu.Unlock()
	asked := map[Place]bool{}
	for _, s := range mine {
		place := s.at()
		if asked[place] || !s.connected() {
			continue
		}
		asked[place] = true
		var some []Doing
		if m.ask(ctx, place, "list", struct{}{}, &some) != nil {
			continue
		}
		for _, d := range some {
			if one := mine[d.Meta.ID]; one != nil && one.at() == place && (d.Busy() || d.Due) {
				d.Pid = pidOf(place)
				all = append(all, d)
			}
		}
	}
	return all
}

// Stop interrupts what this screen's sessions do that no other terminal shows. Their waiting prompts are held.
func (m *Manager) Stop(ctx context.Context) (err error) {
	for _, d := range m.GoesOn(ctx) {
		if d.Clients <= 1 {
			err = errors.Join(err, m.ask(ctx, m.placeOf(ctx, d.Meta.ID), "stop", d.Meta.ID, nil))
		}
	}
	return err
}

// Close leaves all sessions, which go on, and waits until the host has their prompts, or ctx ends.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	all := slices.Collect(maps.Values(m.sessions))
	m.mu.Unlock()
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, s := range all {
		wg.Go(crash.Guarded(func() { errs[i] = s.close(ctx) }))
	}
	wg.Wait()
	m.end()
	m.connecting.Lock() // a connection that is being made sees the end
	m.mu.Lock()
	c := m.control
	m.mu.Unlock()
	m.connecting.Unlock()
	if c != nil {
		c.c.Close()
		<-c.done
	}
	return errors.Join(append(errs, m.Manager.Close(ctx))...)
}
