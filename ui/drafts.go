package ui

import (
	"context"
	"sync"
	"time"
)

// draftDelay is how long after a change what is written is saved; more changes in that time are saved with it.
const draftDelay = 300 * time.Millisecond

// draftKeeper saves what is being written in a goroutine of its own: the disk never holds up a key. The newest text of a
// key wins. Safe for concurrent use.
type draftKeeper struct {
	drafts Drafts
	mu     sync.Mutex
	dirty  map[string]string
	saving sync.Mutex // held while writing, so that an older text never lands after a newer one
	wake   chan struct{}
}

func newDraftKeeper(d Drafts) *draftKeeper {
	return &draftKeeper{drafts: d, dirty: map[string]string{}, wake: make(chan struct{}, 1)}
}

// put notes the text of a key.
func (k *draftKeeper) put(key, text string) {
	if k.drafts == nil {
		return
	}
	k.mu.Lock()
	k.dirty[key] = text
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// run saves until ctx ends. What is still to be saved then is left to flush.
func (k *draftKeeper) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.wake:
			k.flush()
		}
	}
}

// flush saves what has not been saved. What cannot be saved is tried again with the next change.
func (k *draftKeeper) flush() {
	k.saving.Lock()
	defer k.saving.Unlock()
	k.mu.Lock()
	work := k.dirty
	k.dirty = map[string]string{}
	k.mu.Unlock()
	for key, text := range work {
		if k.drafts.Save(key, text) == nil {
			continue
		}
		k.mu.Lock()
		if _, newer := k.dirty[key]; !newer {
			k.dirty[key] = text
		}
		k.mu.Unlock()
	}
}
