package session

import "sync"

// Outbox delivers an agent's events to its session in order, from any goroutine. It holds no lock while it calls out:
// the first goroutine to deliver does so for all. An event handler may therefore call back into the agent. Fragments that
// wait are joined, see [Backlog]. It is safe for concurrent use.
type Outbox struct {
	to func(Event)

	mu      sync.Mutex
	idle    sync.Cond // signalled when no goroutine delivers
	queue   Backlog[struct{}]
	busy    bool
	stopped bool
}

// NewOutbox returns an Outbox that calls a function with the events, one at a time.
func NewOutbox(to func(Event)) *Outbox {
	b := &Outbox{to: to}
	b.idle.L = &b.mu
	return b
}

// Put queues events and reports whether it did, which it does not after Stop. It calls nothing, so it may be used under
// the lock that decides their order; Deliver must follow.
func (b *Outbox) Put(events ...Event) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return false
	}
	for _, e := range events {
		b.queue.Add(e, struct{}{})
	}
	return true
}

// Deliver delivers the queued events, unless another goroutine is doing so.
func (b *Outbox) Deliver() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.busy {
		return
	}
	b.busy = true
	for b.queue.Len() > 0 {
		batch := b.queue.Take()
		b.mu.Unlock()
		for _, w := range batch {
			b.to(w.Event)
		}
		b.mu.Lock()
	}
	b.busy = false
	b.idle.Broadcast()
}

// Drain delivers, and returns when all queued events have been delivered. An event handler must not call it.
func (b *Outbox) Drain() {
	b.Deliver()
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.busy || b.queue.Len() > 0 {
		b.idle.Wait()
	}
}

// Stop drops all later events, once the earlier ones are delivered. An event handler must not call it.
func (b *Outbox) Stop() {
	b.Drain()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
}
