package live

import (
	"context"
	"fmt"
	"slices"

	"parley/internal/crash"
	"parley/session"
	"parley/session/live/journal"
	"parley/session/live/label"
	"parley/session/live/queue"
)

// local is one conversation of this process. All methods are safe for concurrent use; only Ask, Close, Stored and Wait block. The
// package comment describes its parts and locks.
type local struct {
	handle *Session // for the user's side
	m      *Manager
	id     session.ID
	agent  session.Agent // nil if the session's agent is not among the manager's

	state   *state
	storage *storage
	runtime *runtime
	worker  *worker
	titles  *titles
	label   *label.Label
	files   *files

	life    context.Context
	endLife context.CancelFunc // ends what Close interrupts
	shut    chan struct{}      // closed when Close is done
	shutErr error              // valid once shut is closed
}

func newSession(m *Manager, a session.Agent, meta session.Meta) *local {
	life, end := context.WithCancel(context.Background())
	s := &local{m: m, id: meta.ID, agent: a, life: life, endLife: end, shut: make(chan struct{})}
	s.handle = &Session{s}
	s.state = newState(&m.d, meta)
	s.storage = &storage{journals: m.d.Journals, state: s.state, life: life, remote: isRemote(a)}
	s.files = newFiles(m.d.Files, s.state)
	s.runtime = newRuntime(&m.d, a, s.state, s.storage, s.files, life)
	s.titles = &titles{titler: m.d.Titler, state: s.state, life: life}
	s.label = label.New(func(ctx context.Context, title string) error { return m.Retitle(ctx, meta.Agent, meta.ID, title) }, s.state.rest)
	s.worker = &worker{label: s.label, grace: m.d.Grace, state: s.state, storage: s.storage, runtime: s.runtime, titles: s.titles, life: life}
	return s
}

// ID returns the session's id, fixed from the draft on.
func (s *local) ID() session.ID { return s.id }

// Meta describes the session as it is now.
func (s *local) Meta() session.Meta {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.describe()
}

// Draft reports whether no prompt was stored yet. Sending again retries the delivery of a stored one.
func (s *local) Draft() bool {
	s.state.Lock()
	defer s.state.Unlock()
	return s.storage.draft()
}

// Settings returns the newest settings of the user.
func (s *local) Settings() session.Settings {
	s.state.Lock()
	defer s.state.Unlock()
	return s.state.settings
}

// Read returns all events so far and a reader of the later ones; see [session.Log.Read]. The session does not wait for
// it, neither when it is idle nor when a turn has ended.
func (s *local) Read(wake func(text bool)) (history []session.Event, r *session.Reader) {
	return s.state.feed.Read(wake)
}

// Attach returns all events so far, with fragments joined, and calls call with all later ones, in order and once,
// from one goroutine at a time. call must not block or call back into the session. detach ends it; a running call may still
// finish.
func (s *local) Attach(call func(session.Event)) (history []session.Event, detach func()) {
	return s.state.feed.attach(call)
}

// Configure changes the settings starting with the next request, and keeps them over restarts. Without directories those of before stay. An unsupported
// mode is an error of kind [session.KindUnsupported] with the reason. A running conversation gets them in the
// background, a stored session is opened to save them; notices report failures, and the choice holds here anyway.
func (s *local) Configure(v session.Settings) error {
	if err := s.m.d.checkMode(s.agent, v.Mode); err != nil {
		instead := s.m.d.instead(v.Mode)
		if v.Mode != s.Settings().Mode || instead == v.Mode {
			return err
		}
		v.Mode = instead // allowed when it was chosen
	}
	s.state.Lock()
	defer s.state.Unlock()
	if s.state.closed {
		return &session.Error{Op: "configure", Kind: session.KindInvalid, Err: errClosed}
	}
	s.state.choose(v)
	s.runtime.warmup.discardOutdated(s.state.settings)
	s.runtime.configure()
	s.storage.saveSoon()
	return nil
}

// Answer answers an open ask, once. A later answer to the same ask is an error of kind [session.KindNotFound]. An answer
// that the agent could not take leaves the ask open.
func (s *local) Answer(ask session.AskID, answer session.Answer) error {
	return s.runtime.answer(ask, answer)
}

// Warm lets the agent prepare for the next prompt, or wakes an open conversation ([session.Waker]), when the user
// begins to type. It returns at once, may be called with every key, and publishes and stores nothing. New settings,
// some minutes, and the end of the session discard a preparation; other processes' sessions get none.
func (s *local) Warm() {
	s.state.Lock()
	defer s.state.Unlock()
	s.runtime.warm()
}

// Abort interrupts the running turn and keeps the queue. It returns at once, also with a dead stream. If the agent does not
// end the turn within the grace period, the session does.
func (s *local) Abort() {
	s.state.Lock()
	it, conv := s.state.queue.Current, s.runtime.conv
	s.state.Unlock()
	switch {
	case it != nil:
		// This stops only this turn, even if the next one begins now.
		it.Cancel()
	case conv != nil:
		// The agent may run an autonomous turn.
		crash.Go(conv.Abort)
	}
}

// abortItem interrupts one turn if it is the running one.
func abortItem(s *local, it *queue.Item) {
	s.state.Lock()
	mine := s.state.queue.Current == it
	s.state.Unlock()
	if mine {
		s.Abort()
	}
}

// Stored waits until everything published so far, such as a new prompt, is in the journal. It waits for a journal that is about to be opened,
// but opens none, and not if every prompt is there. The error is that of the disk, also of opening the journal,
// that of ctx, or of kind [session.KindInvalid] if the session was closed before.
func (s *local) Stored(ctx context.Context) error {
	written := toStore(s)
	if written == nil {
		return nil
	}
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.shut:
	}
	select {
	case err := <-written: // answered while the session was closing
		return err
	default:
		return &session.Error{Op: journal.OpStore, Kind: session.KindInvalid, Err: errClosed}
	}
}

// toStore returns what says that everything is in the journal, nil if no prompt waits for one: this process has only read them.
func toStore(s *local) <-chan error {
	st := s.state
	st.Lock()
	defer st.Unlock()
	idle := !st.queue.Working && !st.journal.Open() && !st.closed
	if idle && !slices.ContainsFunc(st.journal.Unwritten(), func(e session.Event) bool {
		switch e.(type) {
		case session.TurnStarted, session.Queued:
			return true
		}
		return false
	}) {
		return nil
	}
	written := st.journal.Ask()
	s.storage.refuse()
	return written
}

// snapshot returns the content for a copy of the session, no events for a draft.
func snapshot(s *local) (session.Meta, session.Settings, []session.Event) {
	s.state.Lock()
	defer s.state.Unlock()
	meta := s.state.meta
	meta.Dirs = slices.Clone(meta.Dirs)
	if s.storage.draft() {
		return meta, s.state.settings, nil
	}
	return meta, s.state.settings, s.state.feed.All()
}

// fail returns an error of the session.
func fail(op string, kind session.Kind, format string, args ...any) error {
	return &session.Error{Op: op, Kind: kind, Err: fmt.Errorf(format, args...)}
}
