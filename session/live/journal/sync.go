package journal

import (
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// syncEvery is the least time between two syncs of a stream. Turns and prompts do not wait for it.
const syncEvery = 250 * time.Millisecond

// syncer puts what was written on the disk itself, so that it survives a loss of power. It has a goroutine of its own: a slow disk
// delays neither the stream nor the journal.
type syncer struct {
	sync func() error
	wake chan struct{} // holds one
	done chan struct{}

	mu    sync.Mutex
	dirty bool // something was written
	soon  bool // it is not to wait for syncEvery
	quit  bool // no more comes
}

// startSync returns a syncer of a journal, nil for one whose bytes are nowhere else.
func startSync(j session.Journal) *syncer {
	on, ok := j.(session.Syncer)
	if !ok {
		return nil
	}
	s := &syncer{sync: on.Sync, wake: make(chan struct{}, 1), done: make(chan struct{})}
	crash.Go(s.run)
	return s
}

// written takes a batch that was written: the end of a turn and a prompt are synced at once. It never blocks.
func (s *syncer) written(b batch, failed error) {
	if s == nil || failed != nil {
		return
	}
	soon := false
	for _, e := range b.events {
		switch e.(type) {
		case session.TurnEnded, session.TurnStarted, session.Queued:
			soon = true
		}
	}
	s.request(func() { s.soon, s.dirty = s.soon || soon, true })
}

func (s *syncer) request(change func()) {
	s.mu.Lock()
	change()
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// stop returns once no sync runs.
func (s *syncer) stop() {
	if s != nil {
		s.request(func() { s.quit = true })
		<-s.done
	}
}

func (s *syncer) run() {
	defer close(s.done)
	var next time.Time // of a sync that may wait
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-s.wake:
		case <-timer.C:
		}
		s.mu.Lock()
		wait := time.Until(next)
		due, quit, dirty := s.dirty && (s.soon || wait <= 0), s.quit, s.dirty
		if due {
			s.soon, s.dirty = false, false
		}
		s.mu.Unlock()
		switch {
		case due:
			next = time.Now().Add(syncEvery)
			_ = s.sync() // what is written survives this process, and closing the journal reports a broken disk
		case dirty && !quit:
			timer.Reset(wait)
		}
		if quit {
			return
		}
	}
}
