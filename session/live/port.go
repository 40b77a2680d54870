package live

import (
	"context"

	"parley/session"
)

// port opens and closes the session's endpoint. The channel turn is its lock, whose wait a context can end. It may be taken
// only without the session's lock.
type port struct {
	turn   chan struct{} // holds one
	dial   func(context.Context) (session.Endpoint, error)
	hangUp func()

	endpoint session.Endpoint
	open     bool
}

func newPort(endpoints session.Endpoints, id session.ID, a session.Agent) *port {
	p := &port{turn: make(chan struct{}, 1), hangUp: func() { endpoints.Close(id) }}
	p.dial = func(ctx context.Context) (session.Endpoint, error) { return endpoints.Open(ctx, id) }
	tuned, ok := endpoints.(session.TunedEndpoints)
	if t, wants := a.(session.EndpointTuner); ok && wants {
		p.dial = func(ctx context.Context) (session.Endpoint, error) {
			return tuned.OpenTuned(ctx, id, t.EndpointTuning())
		}
	}
	return p
}

// get returns the endpoint, and opens a closed one.
func (p *port) get(ctx context.Context) (session.Endpoint, error) {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return session.Endpoint{}, ctx.Err()
	}
	defer func() { <-p.turn }()
	if p.open {
		return p.endpoint, nil
	}
	e, err := p.dial(ctx)
	if err != nil {
		return session.Endpoint{}, err
	}
	p.endpoint, p.open = e, true
	return e, nil
}

// close closes the endpoint if it is open.
func (p *port) close() { p.closeIf(func() bool { return true }) }

// closeIf closes an open endpoint that is no longer needed.
func (p *port) closeIf(unused func() bool) {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	if p.open && unused() {
		p.endpoint, p.open = session.Endpoint{}, false
		p.hangUp()
	}
}
