package sessiontest

import (
	"context"
	"slices"
	"sync"

	"parley/session"
)

// Remote is an agent at a service. Its turns are played by the test, as those of [Agent].
type Remote struct {
	*Agent

	mu      sync.Mutex
	metas   []session.Meta
	events  map[session.ID][]session.Event
	refresh func(ctx context.Context) error

	missing   string
	target    session.RemoteTarget
	targetErr error
}

// NewRemote makes an agent of that name.
func NewRemote(name string) *Remote {
	return &Remote{Agent: NewAgent(name), events: map[session.ID][]session.Event{}, target: session.RemoteTarget{Repository: "octo/app", Base: "main"}}
}

// Info describes the agent.
func (r *Remote) Info() session.AgentInfo {
	r.mu.Lock()
	defer r.mu.Unlock()
	return session.AgentInfo{Name: r.Name(), Missing: r.missing}
}

// SetMissing sets why the agent cannot be used.
func (r *Remote) SetMissing(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.missing = why
}

// Target returns the repository of every directory.
func (r *Remote) Target(context.Context, string) (session.RemoteTarget, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.target, r.targetErr
}

// SetTarget sets what Target returns; without it that is octo/app from main.
func (r *Remote) SetTarget(t session.RemoteTarget, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.target, r.targetErr = t, err
}

// Message makes a comment that mentions @copilot.
func (*Remote) Message(p session.Prompt) string { return "@copilot " + p.Text }

// Put stores a session at the service.
func (r *Remote) Put(m session.Meta, events ...session.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.metas = slices.DeleteFunc(slices.Clone(r.metas), func(o session.Meta) bool { return o.ID == m.ID })
	r.metas = append(r.metas, m)
	r.events[m.ID] = events
}

// OnRefresh makes f refresh the list.
func (r *Remote) OnRefresh(f func(ctx context.Context) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refresh = f
}

// Replay returns the events of a stored session.
func (r *Remote) Replay(_ context.Context, id session.ID) ([]session.Event, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.events[id], nil
}

// Sessions returns the stored sessions.
func (r *Remote) Sessions(context.Context) ([]session.Meta, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.metas, nil
}

// Refresh does what [Remote.OnRefresh] was given.
func (r *Remote) Refresh(ctx context.Context) error {
	r.mu.Lock()
	refresh := r.refresh
	r.mu.Unlock()
	if refresh == nil {
		return nil
	}
	return refresh(ctx)
}
