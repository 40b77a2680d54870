package session

import "sync"

// Outbox delivers an agent's events to its session in order, from any goroutine. It holds no lock while it calls out:
// the first goroutine to deliver does so for all. An event handler may therefore call back into the agent. Fragments that
// wait are joined, see [Record]. It is safe for concurrent use.
type Outbox struct {
	to   func(Event)
	log  Log
	read *Reader
	idle sync.Cond // with the log's lock; signalled when no goroutine delivers
	busy bool
}

// NewOutbox returns an Outbox that calls a function with the events, one at a time.
func NewOutbox(to func(Event)) *Outbox {
	b := &Outbox{to: to}
	b.log.passing = true
	_, b.read = b.log.Read(nil)
	b.idle.L = &b.log.mu
	return b
}

// Put queues events and reports whether it did, which it does not after Stop. It calls nothing, so it may be used under
// the lock that decides their order; Deliver must follow.
func (b *Outbox) Put(events ...Event) bool { return b.log.Add(events...) }

// Deliver delivers the queued events, unless another goroutine is doing so.
func (b *Outbox) Deliver() {
	b.log.mu.Lock()
	defer b.log.mu.Unlock()
	if b.busy {
		return
	}
	b.busy = true
	for batch := b.read.take(); len(batch) > 0; batch = b.read.take() {
		b.log.mu.Unlock()
		for _, e := range batch {
			b.to(e)
		}
		b.log.mu.Lock()
	}
	b.busy = false
	b.idle.Broadcast()
}

// Drain delivers, and returns when all queued events have been delivered. An event handler must not call it.
func (b *Outbox) Drain() {
	b.Deliver()
	b.log.mu.Lock()
	defer b.log.mu.Unlock()
	for b.busy || len(b.log.record.events) > 0 {
		b.idle.Wait()
	}
}

// Stop drops all later events, once the earlier ones are delivered. An event handler must not call it.
func (b *Outbox) Stop() {
	b.Drain()
	b.log.mu.Lock()
	defer b.log.mu.Unlock()
	b.log.ended = true
}
