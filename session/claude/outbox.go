package claude

import (
	"sync"

	"parley/session"
)

// outbox hands events to the session in order, from any goroutine, without a lock held while it calls out: whoever finds
// nobody delivering delivers for all. An event handler may therefore call back into the conversation.
type outbox struct {
	to func(session.Event)

	mu      sync.Mutex
	idle    sync.Cond // signalled when nobody delivers
	queue   []session.Event
	busy    bool
	stopped bool
}

func newOutbox(to func(session.Event)) *outbox {
	b := &outbox{to: to}
	b.idle.L = &b.mu
	return b
}

// put queues events. It calls nobody, so it may be used under the lock that decides their order.
func (b *outbox) put(events ...session.Event) {
	if len(events) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.stopped {
		b.queue = append(b.queue, events...)
	}
}

// deliver hands over what is queued, unless somebody does so already.
func (b *outbox) deliver() {
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

// drain delivers and returns when everything put so far has been. An event handler must not call it.
func (b *outbox) drain() {
	b.deliver()
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.busy || len(b.queue) > 0 {
		b.idle.Wait()
	}
}

// stop drops all later events, after those before.
func (b *outbox) stop() {
	b.drain()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
}
