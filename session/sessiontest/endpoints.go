package sessiontest

import (
	"context"
	"sync"

	"parley/session"
)

// MemoryEndpoints are endpoints that lead nowhere. Make them with [Endpoints].
type MemoryEndpoints struct {
	log *Log

	mu   sync.Mutex
	open map[session.ID]bool
	err  error
}

// Endpoints makes endpoints of which none is open.
func Endpoints() *MemoryEndpoints { return &MemoryEndpoints{open: map[session.ID]bool{}} }

// Fail makes Open fail with err from now on; nil mends it.
func (e *MemoryEndpoints) Fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = err
}

// IsOpen reports whether the session's endpoint is open.
func (e *MemoryEndpoints) IsOpen(id session.ID) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open[id]
}

// Open opens the endpoint of a session.
func (e *MemoryEndpoints) Open(_ context.Context, id session.ID) (session.Endpoint, error) {
	e.log.Add("endpoint open")
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return session.Endpoint{}, e.err
	}
	e.open[id] = true
	return session.Endpoint{BaseURL: "http://127.0.0.1:9", Bearer: "secret." + string(id)}, nil
}

// Close closes the endpoint of a session.
func (e *MemoryEndpoints) Close(id session.ID) {
	e.log.Add("endpoint close")
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.open, id)
}
