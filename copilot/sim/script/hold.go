package script

import (
	"context"
	"sync"
)

// Holds are the places in which replies wait for Release, by the name of their "hold" step. The zero value is ready for use.
type Holds struct {
	mu    sync.Mutex
	gates map[string]chan struct{}
}

func (h *Holds) gate(name string) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gates == nil {
		h.gates = map[string]chan struct{}{}
	}
	if h.gates[name] == nil {
		h.gates[name] = make(chan struct{})
	}
	return h.gates[name]
}

// Wait returns once the name is released, or with the error of ctx.
func (h *Holds) Wait(ctx context.Context, name string) error {
	select {
	case <-h.gate(name):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Release continues the replies that wait for the name, now and later.
func (h *Holds) Release(name string) {
	g := h.gate(name)
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-g:
	default:
		close(g)
	}
}
