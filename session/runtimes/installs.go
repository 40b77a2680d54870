package runtimes

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// failureTime is the time in which a failed installation is not repeated, so that frequent callers do not start frequent downloads.
const failureTime = 30 * time.Second

// installs shares installations between callers. It is safe for concurrent use.
type installs struct {
	now     func() time.Time
	install func(ctx context.Context, f *family, version string, m *meter) (Installed, error)

	mu       sync.Mutex
	running  map[string]*sharedInstall // by NAME@VERSION
	failures map[string]installFailure // recent ones, by NAME@VERSION
}

type installFailure struct {
	err error
	at  time.Time
}

// sharedInstall is one installation. It ends by itself, or when the last waiter has left.
type sharedInstall struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when result and err are set
	result Installed
	err    error

	mu      sync.Mutex
	latest  Progress
	waiters map[chan Progress]struct{}
}

// join waits for a running installation, or starts one, which does not end with ctx. It fails with a recent failure.
func (s *installs) join(ctx context.Context, f *family, version string) (*sharedInstall, chan Progress, error) {
	key := spec(f.name, version)
	steps := make(chan Progress, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.failures[key]; ok {
		if left := failureTime - s.now().Sub(old.at); left > 0 {
			return nil, nil, retryAfter(old.err, left)
		}
		delete(s.failures, key)
	}
	shared := s.running[key]
	if shared == nil {
		detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
		shared = &sharedInstall{cancel: cancel, done: make(chan struct{}), waiters: map[chan Progress]struct{}{}}
		s.running[key] = shared
		crash.Go(func() { s.run(detached, key, f, version, shared) })
	}
	shared.mu.Lock()
	shared.waiters[steps] = struct{}{}
	if shared.latest != (Progress{}) {
		steps <- shared.latest
	}
	shared.mu.Unlock()
	return shared, steps, nil
}

// retryAfter returns a failure with the time after which a retry makes sense.
func retryAfter(err error, left time.Duration) error {
	e := &session.Error{Op: "install the runtime", Kind: session.KindOf(err), Err: err, RetryAfter: left}
	if old, ok := errors.AsType[*session.Error](err); ok {
		e.Op, e.Err = old.Op, old.Err
	}
	return e
}

// run installs the version and reports to all waiters.
func (s *installs) run(ctx context.Context, key string, f *family, version string, shared *sharedInstall) {
	defer shared.cancel()
	m := &meter{now: s.now, report: shared.report, p: Progress{Name: f.name, Version: version}}
	shared.result, shared.err = s.install(ctx, f, version, m)
	s.mu.Lock()
	if s.running[key] == shared {
		delete(s.running, key)
	}
	if shared.err != nil && ctx.Err() == nil {
		s.failures[key] = installFailure{err: under("install the runtime "+key, shared.err), at: s.now()}
	}
	s.mu.Unlock()
	close(shared.done)
}

// report sends a step to each waiter, in place of one that it has not received.
func (i *sharedInstall) report(p Progress) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.latest = p
	for steps := range maps.Keys(i.waiters) {
		select {
		case <-steps:
		default:
		}
		steps <- p
	}
}

// leave removes a waiter. The last one cancels the installation and waits for its end.
func (s *installs) leave(key string, shared *sharedInstall, steps chan Progress) {
	s.mu.Lock()
	shared.mu.Lock()
	delete(shared.waiters, steps)
	last := len(shared.waiters) == 0
	shared.mu.Unlock()
	if last && s.running[key] == shared {
		delete(s.running, key)
	}
	s.mu.Unlock()
	if last {
		shared.cancel()
		<-shared.done
	}
}
