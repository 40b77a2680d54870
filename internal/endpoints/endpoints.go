package endpoints

import (
	"context"
	"errors"
	"sync"

	"parley/internal/cli/headless"
	"parley/proxy"
	"parley/session"
)

// Endpoints gives each session a bearer of the proxy, which it starts with the first. It is safe for concurrent use.
type Endpoints struct {
	options proxy.Options

	mu     sync.Mutex
	server *proxy.Server
	closed bool
}

// New returns endpoints without starting the proxy.
func New(o proxy.Options) *Endpoints { return &Endpoints{options: o} }

var _ session.TunedEndpoints = (*Endpoints)(nil)

// Open makes the session's bearer.
func (e *Endpoints) Open(ctx context.Context, id session.ID) (session.Endpoint, error) {
	return e.OpenTuned(ctx, id, session.EndpointTuning{})
}

// OpenTuned makes the bearer of a session as its agent wants it.
func (e *Endpoints) OpenTuned(_ context.Context, id session.ID, t session.EndpointTuning) (session.Endpoint, error) {
	srv, err := e.start()
	if err != nil {
		return session.Endpoint{}, err
	}
	var options []proxy.OpenOption
	if t.MarkErrors {
		options = append(options, proxy.WithMarker())
	}
	if t.Coalesce > 0 {
		options = append(options, proxy.WithWindow(max(t.Coalesce, e.options.Coalesce)))
	}
	if t.Initiates {
		options = append(options, proxy.WithInitiator())
	}
	bearer, err := srv.Open(string(id), options...)
	if err != nil {
		return session.Endpoint{}, err
	}
	return session.Endpoint{BaseURL: srv.URL(), Bearer: bearer}, nil
}

// Spent returns what the session's requests have cost, in nano AI units.
func (e *Endpoints) Spent(id session.ID) int64 {
	e.mu.Lock()
	srv := e.server
	e.mu.Unlock()
	if srv == nil {
		return 0
	}
	return srv.Spent(string(id)).NanoAIU
}

// Figures returns what the session's requests have used.
func (e *Endpoints) Figures(id session.ID) headless.Figures {
	e.mu.Lock()
	srv := e.server
	e.mu.Unlock()
	if srv == nil {
		return headless.Figures{}
	}
	s := srv.Spent(string(id))
	u := session.Usage{Input: s.Usage.Input, Output: s.Usage.Output, CacheRead: s.Usage.CacheRead, CacheWrite: s.Usage.CacheCreate}
	return headless.Figures{Requests: int(s.Requests), Usage: u, NanoAIU: s.NanoAIU}
}

// Settle waits until all requests of the session count in its figures.
func (e *Endpoints) Settle(ctx context.Context, id session.ID) {
	e.mu.Lock()
	srv := e.server
	e.mu.Unlock()
	if srv != nil {
		_ = srv.Settled(ctx, string(id))
	}
}

func (e *Endpoints) start() (*proxy.Server, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errors.New("the proxy is closed")
	}
	if e.server == nil {
		srv, err := proxy.Start(e.options)
		if err != nil {
			return nil, err
		}
		e.server = srv
	}
	return e.server, nil
}

// Close makes the session's bearer useless.
func (e *Endpoints) Close(id session.ID) {
	e.mu.Lock()
	srv := e.server
	e.mu.Unlock()
	if srv != nil {
		srv.Revoke(string(id))
	}
}

// Shutdown stops the proxy; no bearer can be opened afterwards.
func (e *Endpoints) Shutdown(ctx context.Context) error {
	e.mu.Lock()
	srv := e.server
	e.closed, e.server = true, nil
	e.mu.Unlock()
	if srv == nil {
		return nil
	}
	return srv.Close(ctx)
}
