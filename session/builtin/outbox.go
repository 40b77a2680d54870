package builtin

import (
	"sync"

	"parley/session"
)

// outbox adds the conversation's events to its transcript and delivers them to the session.
type outbox struct {
	out *session.Outbox

	mu      sync.Mutex // decides the order of events
	log     session.Transcript
	stopped bool
}

func newOutbox(deliver func(session.Event)) *outbox { return &outbox{out: session.NewOutbox(deliver)} }

// emit queues the event and delivers it, unless another goroutine is delivering.
func (b *outbox) emit(e session.Event) {
	b.mu.Lock()
	if !b.stopped {
		b.log.Apply(e)
		b.out.Put(session.ShareText(&b.log, e))
	}
	b.mu.Unlock()
	b.out.Deliver()
}

// drain returns when everything emitted so far is delivered. An event handler must not call it.
func (b *outbox) drain() { b.out.Drain() }

// stop drops all later events.
func (b *outbox) stop() {
	b.drain()
	b.mu.Lock()
	b.stopped = true
	b.mu.Unlock()
	b.out.Stop()
}

// read calls f with the transcript of everything emitted by this conversation. f must not call out.
func (b *outbox) read(f func(t *session.Transcript)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(&b.log)
}
