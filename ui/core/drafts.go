package core

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/ui/textarea"
)

// DraftDelay is the time after a change in which a draft is saved; further changes in that time are saved with it.
const DraftDelay = 200 * time.Millisecond

// Drafts stores drafts between runs of the program. Load returns "" for an unknown key; Save with an empty text removes the
// key. Keys are those of dirDraft and SessionDraft. Load and Save may run at the same time.
type Drafts interface {
	Load(key string) (string, error)
	Save(key, text string) error
}

// dirDraft returns the key for what is written in a directory before a session has begun.
func dirDraft(dir string) string { return "dir:" + filepath.Clean(dir) }

// SessionDraft returns the key for what is written in a session.
func SessionDraft(id session.ID) string { return "session:" + string(id) }

// PlaceKey returns the key for where the user reads in a session, which is stored beside the drafts.
func PlaceKey(id session.ID) string { return "place:" + string(id) }

// DraftKey returns the key for what is written in s: that of its directory until its first prompt was sent. "" for nil.
func DraftKey(s *live.Session) string {
	switch {
	case s == nil:
		return ""
	case s.Draft():
		return dirDraft(s.Meta().Dir)
	}
	return SessionDraft(s.ID())
}

// LoadDraft reads the draft under a key, "" if there is none, it cannot be read, or d is nil. It may block.
func LoadDraft(d Drafts, key string) string {
	if d == nil {
		return ""
	}
	text, _ := d.Load(key) // an unreadable draft is no reason not to chat
	return text
}

// DraftKeeper saves drafts, and the prompts that were sent and may not be on disk yet, in the goroutine that calls Run, so
// that the disk never delays a key. The newest text of a key wins. Safe for concurrent use.
type DraftKeeper struct {
	drafts  Drafts
	mu      sync.Mutex
	writing map[string]string // by key
	held    []heldDraft       // oldest first
	tickets int
	dirty   []string
	saving  sync.Mutex // held while writing, so that an older text never lands after a newer one
	wake    chan struct{}
}

// heldDraft is the draft of a prompt that was sent and is not known to be on disk.
type heldDraft struct {
	ticket     int
	key, draft string
}

// NewDraftKeeper returns a keeper that saves to d; with a nil d it saves nothing.
func NewDraftKeeper(d Drafts) *DraftKeeper {
	return &DraftKeeper{drafts: d, writing: map[string]string{}, wake: make(chan struct{}, 1)}
}

// Put replaces what is being written under a key.
func (k *DraftKeeper) Put(key, text string) {
	k.change(key, func() { k.writing[key] = text })
}

// Hold adds the draft of a sent prompt in front of what is written under the key, until Release is called with the ticket.
func (k *DraftKeeper) Hold(key, draft string) (ticket int) {
	k.change(key, func() {
		k.tickets++
		ticket = k.tickets
		k.held = append(k.held, heldDraft{ticket, key, draft})
	})
	return ticket
}

// Release removes the draft of a held prompt. An unknown ticket does nothing.
func (k *DraftKeeper) Release(ticket int) {
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

// change applies f to the drafts under a key and schedules saving.
func (k *DraftKeeper) change(key string, f func()) {
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

// Run saves changes until ctx ends. What is unsaved then is left to Flush.
func (k *DraftKeeper) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.wake:
			k.Flush()
		}
	}
}

// Flush saves all changes, texts before removals: a text that moves between keys is stored under both for a moment, and
// never under neither. What cannot be saved is retried with the next change.
func (k *DraftKeeper) Flush() {
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

// text returns all drafts under a key as one. The lock is held.
func (k *DraftKeeper) text(key string) string {
	var all []string
	for _, h := range k.held {
		if h.key == key {
			all = append(all, h.draft)
		}
	}
	return JoinDrafts(append(all, k.writing[key]))
}

// JoinDrafts merges several drafts into one. A draft equal to the one before it adds nothing.
func JoinDrafts(drafts []string) string {
	drafts = slices.Compact(slices.DeleteFunc(drafts, func(d string) bool { return d == "" }))
	switch len(drafts) {
	case 0:
		return ""
	case 1:
		return drafts[0]
	}
	joined := textarea.JoinDrafts(drafts...)
	all := AttachmentsOf(drafts[0])
	for _, d := range drafts[1:] {
		all = append(all, AttachmentsOf(d)...)
	}
	return WithAttachments(joined, all)
}
