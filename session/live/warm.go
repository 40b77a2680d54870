package live

import (
	"context"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// warmFor is the time that a preparation waits for a prompt.
const warmFor = 5 * time.Minute

// awakeTime is the time in which a woken conversation is not woken again.
const awakeTime = 10 * time.Second

// failurePause is the time in which preparing is not repeated after a failure.
const failurePause = 30 * time.Second

// warmup holds the agent's preparation for the next prompt, and decides when to prepare. Its lock is below the session's.
type warmup struct {
	now func() time.Time

	mu          sync.Mutex
	current     *preparation // nil for none
	pausedUntil time.Time    // after a failure
	waking      bool         // the conversation is being woken
	awakeUntil  time.Time    // after it was woken
}

// preparation tracks the work of an agent for the session's first prompt before it comes.
type preparation struct {
	settings session.Settings
	ctx      context.Context
	cancel   context.CancelFunc
	timer    *time.Timer
	done     chan struct{} // closed when it was taken or discarded
}

// begin returns a new preparation, nil if there is one or one has just failed.
func (u *warmup) begin(life context.Context, settings session.Settings) *preparation {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.current != nil || u.now().Before(u.pausedUntil) {
		return nil
	}
	w := &preparation{settings: settings, done: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancel(life)
	w.timer = time.AfterFunc(warmFor, crash.Guarded(w.cancel))
	u.current = w
	return w
}

// failed records a failure, unless the preparation was cancelled.
func (u *warmup) failed(w *preparation) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if w.ctx.Err() == nil {
		u.pausedUntil = u.now().Add(failurePause)
	}
}

// forget ends w, so that another can begin.
func (u *warmup) forget(w *preparation) {
	w.timer.Stop()
	w.cancel()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.current == w {
		u.current = nil
	}
}

// cancel discards the preparation without waiting, and returns its done channel, nil for none. A conversation that took it
// keeps it.
func (u *warmup) cancel() (done <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.current == nil {
		return nil
	}
	u.current.cancel()
	return u.current.done
}

// discardOutdated discards a preparation for other settings, and ends the pause after a failure.
func (u *warmup) discardOutdated(settings session.Settings) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.pausedUntil = time.Time{}
	if w := u.current; w != nil && w.settings != settings {
		w.cancel()
	}
}

// renew discards what was prepared or woken, so that the next key does it again, and returns when the preparation is over, nil
// for none.
func (u *warmup) renew() (done <-chan struct{}) {
	u.mu.Lock()
	u.pausedUntil, u.awakeUntil = time.Time{}, time.Time{}
	u.mu.Unlock()
	return u.cancel()
}

// beginWake reports whether the conversation is to be woken now.
func (u *warmup) beginWake() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.now()
	if u.waking || now.Before(u.awakeUntil) || now.Before(u.pausedUntil) {
		return false
	}
	u.waking, u.awakeUntil = true, now.Add(awakeTime)
	return true
}

// endWake records how waking ended.
func (u *warmup) endWake(failed bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.waking = false
	if failed {
		u.pausedUntil = u.now().Add(failurePause)
	}
}
