package builtin

import (
	"sync"

	"parley/session"
)

// outbox hands events to the session in order, from any goroutine, without holding a lock while it calls out: whoever
// finds nobody delivering delivers for all. An event handler may therefore call back into the conversation.
type outbox struct {
	deliver func(session.Event)

	mu      sync.Mutex
	idle    sync.Cond // signalled when nobody delivers
	log     session.Transcript
	queue   []session.Event
	busy    bool
	stopped bool
}

func newOutbox(deliver func(session.Event)) *outbox {
	b := &outbox{deliver: deliver}
	b.idle.L = &b.mu
	return b
}

// emit files the event with the conversation's own transcript and delivers it, or leaves that to whoever is delivering.
func (b *outbox) emit(e session.Event) {
	b.mu.Lock()
	if b.stopped {
		b.mu.Unlock()
		return
	}
	b.log.Apply(e)
	b.queue = append(b.queue, e)
	if b.busy {
		b.mu.Unlock()
		return
	}
	b.busy = true
	for len(b.queue) > 0 {
		batch := b.queue
		b.queue = nil
		b.mu.Unlock()
		for _, e := range batch {
			b.deliver(e)
		}
		b.mu.Lock()
	}
	b.busy = false
	b.idle.Broadcast()
	b.mu.Unlock()
}

// drain returns when everything emitted so far is delivered. It must not be called by an event handler.
func (b *outbox) drain() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.busy || len(b.queue) > 0 {
		b.idle.Wait()
	}
}

// stop drops all later events.
func (b *outbox) stop() {
	b.drain()
	b.mu.Lock()
	b.stopped = true
	b.mu.Unlock()
}

// read calls f with the transcript of everything emitted by this conversation. f must not call out.
func (b *outbox) read(f func(t *session.Transcript)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(&b.log)
}
