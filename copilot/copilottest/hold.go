package copilottest

import (
	"context"
	"sync"
)

// holdSet is where replies wait for Release.
type holdSet struct {
	mu    sync.Mutex
	gates map[string]chan struct{}
}

func (h *holdSet) gate(name string) chan struct{} {
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

func (h *holdSet) wait(ctx context.Context, name string) error {
	select {
	case <-h.gate(name):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *holdSet) release(name string) {
	g := h.gate(name)
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-g:
	default:
		close(g)
	}
}
