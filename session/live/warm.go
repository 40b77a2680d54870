package live

import (
	"context"
	"sync"
	"time"

	"parley/session"
)

// warmFor is how long something prepared is kept for a prompt that does not come.
const warmFor = 5 * time.Minute

// wokenFor is how long a conversation that was woken is taken for awake: not every key needs to ask.
const wokenFor = 10 * time.Second

// coldFor is how long nothing is prepared after it has failed: with every key it would fail again.
const coldFor = 30 * time.Second

// warmup knows what an agent has prepared for the next prompt, and when preparing is worth a try. Its own lock guards it,
// below the session's.
type warmup struct {
	now func() time.Time

	mu         sync.Mutex
	current    *warmth   // nil if nothing is prepared
	coldUntil  time.Time // until then nothing is prepared, because that has failed
	waking     bool      // the conversation is being woken
	awakeUntil time.Time // until then it is taken for awake
}

// warmth is something an agent has prepared, or is preparing, for the session's first prompt.
type warmth struct {
	settings session.Settings
	ctx      context.Context
	cancel   context.CancelFunc
	timer    *time.Timer
	done     chan struct{} // closed when nothing of it is left: taken by the conversation, or discarded
}

// begin returns what is to be prepared; nil if something is prepared already or has just failed.
func (u *warmup) begin(life context.Context, settings session.Settings) *warmth {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.current != nil || u.now().Before(u.coldUntil) {
		return nil
	}
	w := &warmth{settings: settings, done: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancel(life)
	w.timer = time.AfterFunc(warmFor, w.cancel)
	u.current = w
	return w
}

// failed records that preparing has failed, unless it was given up.
func (u *warmup) failed(w *warmth) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if w.ctx.Err() == nil {
		u.coldUntil = u.now().Add(coldFor)
	}
}

// forget ends w and makes room for another.
func (u *warmup) forget(w *warmth) {
	w.timer.Stop()
	w.cancel()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.current == w {
		u.current = nil
	}
}

// cancel discards what was prepared and returns when that is gone, nil for nothing. It does not wait. A conversation that
// has taken it keeps it.
func (u *warmup) cancel() (done <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.current == nil {
		return nil
	}
	u.current.cancel()
	return u.current.done
}

// discardOutdated discards what was prepared for other settings. With these it may also work where it has failed.
func (u *warmup) discardOutdated(settings session.Settings) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.coldUntil = time.Time{}
	if w := u.current; w != nil && w.settings != settings {
		w.cancel()
	}
}

// beginWake reports whether the conversation is to be woken now.
func (u *warmup) beginWake() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.now()
	if u.waking || now.Before(u.awakeUntil) || now.Before(u.coldUntil) {
		return false
	}
	u.waking, u.awakeUntil = true, now.Add(wokenFor)
	return true
}

// endWake records how waking ended.
func (u *warmup) endWake(failed bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.waking = false
	if failed {
		u.coldUntil = u.now().Add(coldFor)
	}
}
