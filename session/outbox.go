package session

import "sync"

// Outbox hands an agent's events to its session in order, from any goroutine, without a lock held while it calls out:
// whoever finds nobody delivering delivers for all. An event handler may therefore call back into the agent. It is safe
// for concurrent use.
type Outbox struct {
	to func(Event)

	mu      sync.Mutex
	idle    sync.Cond // signalled when nobody delivers
	queue   []Event
	busy    bool
	stopped bool
}

// NewOutbox returns an Outbox that hands events to a function, to one at a time.
func NewOutbox(to func(Event)) *Outbox {
	b := &Outbox{to: to}
	b.idle.L = &b.mu
	return b
}

// Put queues events and reports whether it did: after Stop it does not. It calls nobody, so it may be used under the lock
// that decides their order; Deliver has to follow.
func (b *Outbox) Put(events ...Event) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.stopped {
		b.queue = append(b.queue, events...)
	}
	return !b.stopped
}

// Deliver hands over what is queued, unless somebody does so already.
func (b *Outbox) Deliver() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.busy {
		return
	}
	b.busy = true
	for len(b.queue) > 0 {
		batch := b.queue
		b.queue = nil
		b.mu.Unlock()
		for _, e := range batch {
			b.to(e)
		}
		b.mu.Lock()
	}
	b.busy = false
	b.idle.Broadcast()
}

// Drain delivers and returns when everything put so far has been. An event handler must not call it.
func (b *Outbox) Drain() {
	b.Deliver()
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.busy || len(b.queue) > 0 {
		b.idle.Wait()
	}
}

// Stop drops all later events, after those before are delivered. An event handler must not call it.
func (b *Outbox) Stop() {
	b.Drain()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
}
