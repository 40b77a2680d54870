package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/session"
)

// retired holds the conversations that were given up and may still be closing. Its lock is below the session's.
type retired struct {
	mu   sync.Mutex
	gone []chan struct{} // each is closed when its conversation is gone
}

// add adds a conversation, which is gone when the channel is closed.
func (r *retired) add(gone chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = append(r.gone, gone)
}

// any reports whether a conversation may still be closing.
func (r *retired) any() bool { return len(r.all()) > 0 }

// all returns the channels of all conversations.
func (r *retired) all() []chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gone
}

// wait waits until the conversations are gone, because two must never share a session.
func (r *retired) wait(ctx context.Context, limit time.Duration) error {
	all := r.all()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, gone := range all {
		select {
		case <-gone:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return ctx.Err()
			}
			return fail(opOpen, session.KindRuntime, "the interrupted one has not gone away yet")
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = r.gone[len(all):]
	return nil
}
