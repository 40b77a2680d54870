package ui

import (
	"context"
	"slices"
	"sync"
	"time"

	"parley/ui/compose"
)

// draftDelay is how long after a change what is written is saved; more changes in that time are saved with it.
const draftDelay = 200 * time.Millisecond

// draftKeeper saves what is being written, and the prompts that were sent and may not be on disk yet, in a goroutine of its
// own: the disk never holds up a key. The newest text of a key wins. Safe for concurrent use.
type draftKeeper struct {
	drafts  Drafts
	mu      sync.Mutex
	writing map[string]string // by key
	held    []heldDraft       // oldest first
	tickets int
	dirty   []string
	saving  sync.Mutex // held while writing, so that an older text never lands after a newer one
	wake    chan struct{}
}

// heldDraft is a prompt that was sent and stays in its draft until it is on disk elsewhere.
type heldDraft struct {
	ticket     int
	key, draft string
}

func newDraftKeeper(d Drafts) *draftKeeper {
	return &draftKeeper{drafts: d, writing: map[string]string{}, wake: make(chan struct{}, 1)}
}

// put notes what is being written under a key.
func (k *draftKeeper) put(key, text string) {
	k.change(key, func() { k.writing[key] = text })
}

// hold keeps the draft of a prompt in front of what is written under the key, until release.
func (k *draftKeeper) hold(key, draft string) (ticket int) {
	k.change(key, func() {
		k.tickets++
		ticket = k.tickets
		k.held = append(k.held, heldDraft{ticket, key, draft})
	})
	return ticket
}

// release forgets the draft of a prompt.
func (k *draftKeeper) release(ticket int) {
	k.mu.Lock()
	i := slices.IndexFunc(k.held, func(h heldDraft) bool { return h.ticket == ticket })
	if i < 0 {
		k.mu.Unlock()
		return
	}
	key := k.held[i].key
	k.mu.Unlock()
	k.change(key, func() {
		k.held = slices.DeleteFunc(k.held, func(h heldDraft) bool { return h.ticket == ticket })
	})
}

// change changes what is kept under a key and has it saved.
func (k *draftKeeper) change(key string, f func()) {
	if k.drafts == nil || key == "" {
		return
	}
	k.mu.Lock()
	f()
	if !slices.Contains(k.dirty, key) {
		k.dirty = append(k.dirty, key)
	}
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

// flush saves what has not been saved, texts before the removal of others: what moves from one key to another is under
// both for a moment, and never under none. What cannot be saved is tried again with the next change.
func (k *draftKeeper) flush() {
	k.saving.Lock()
	defer k.saving.Unlock()
	k.mu.Lock()
	keys := k.dirty
	k.dirty = nil
	texts := map[string]string{}
	for _, key := range keys {
		texts[key] = k.text(key)
	}
	k.mu.Unlock()
	slices.SortStableFunc(keys, func(a, b string) int {
		switch {
		case texts[a] != "" && texts[b] == "":
			return -1
		case texts[a] == "" && texts[b] != "":
			return 1
		}
		return 0
	})
	for i, key := range keys {
		if k.drafts.Save(key, texts[key]) == nil {
			continue
		}
		k.mu.Lock()
		for _, failed := range keys[i:] {
			if !slices.Contains(k.dirty, failed) {
				k.dirty = append(k.dirty, failed)
			}
		}
		k.mu.Unlock()
		return
	}
}

// text is all that is kept under a key. The lock is held.
func (k *draftKeeper) text(key string) string {
	var all []string
	for _, h := range k.held {
		if h.key == key {
			all = append(all, h.draft)
		}
	}
	return joinDrafts(append(all, k.writing[key]))
}

// joinDrafts makes one draft of several. One that repeats the one before it adds nothing.
func joinDrafts(drafts []string) string {
	drafts = slices.Compact(slices.DeleteFunc(drafts, func(d string) bool { return d == "" }))
	switch len(drafts) {
	case 0:
		return ""
	case 1:
		return drafts[0]
	}
	joined := compose.JoinDrafts(drafts...)
	var along = alongOf(drafts[0])
	for _, d := range drafts[1:] {
		along = append(along, alongOf(d)...)
	}
	return withAlong(joined, along)
}
