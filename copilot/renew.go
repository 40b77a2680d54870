package copilot

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/copilot/login"
	"parley/internal/crash"
)

const (
	// renewBudget bounds one search for the credential and the sign-in with it.
	renewBudget = 30 * time.Second
	// stampEvery is the interval between two checks whether the login has changed.
	stampEvery = time.Second
)

// renewals finds the credential again when the service refuses the current one, and when the login has changed. All
// concurrent callers share one search. It is safe for concurrent use.
type renewals struct {
	client *Client
	find   func(context.Context) (login.Credential, error) // nil: the credential cannot be renewed
	stamp  func() string                                   // nil: changes of the login are not detected

	life    context.Context // ends with the client
	stop    context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex
	last   *look     // the newest; nil before the first
	begun  int64     // looks so far
	seen   string    // the stamp of the login in use
	due    time.Time // when to compare stamps next
	closed bool
}

// look is one search for the credential. err is written before done is closed.
type look struct {
	number int64
	done   chan struct{}
	err    error
}

func newRenewals(c *Client, o Options) *renewals {
	r := &renewals{client: c, find: o.Renew, stamp: o.LoginStamp}
	r.life, r.stop = context.WithCancel(context.Background())
	if r.stamp != nil {
		r.seen = r.stamp()
	}
	return r
}

// close ends a running search and prevents others.
func (r *renewals) close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stop()
	r.running.Wait()
}

// mark returns a number that [renewals.since] compares with the start of a search.
func (r *renewals) mark() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.begun
}

// since returns a search that began after the mark, or starts one; nil if the credential cannot be renewed.
func (r *renewals) since(mark int64) *look {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.find == nil || r.closed {
		return nil
	}
	if r.last != nil && r.last.number > mark {
		return r.last
	}
	r.begun++
	l := &look{number: r.begun, done: make(chan struct{})}
	r.last = l
	r.running.Add(1)
	crash.Go(func() {
		defer r.running.Done()
		defer close(l.done)
		ctx, cancel := context.WithTimeout(r.life, renewBudget)
		defer cancel()
		cred, err := r.find(ctx)
		if err == nil {
			err = r.client.SignIn(ctx, cred)
		}
		l.err = err
	})
	return l
}

// changed reports whether the login has changed since the last check.
func (r *renewals) changed() bool {
	if r.find == nil || r.stamp == nil {
		return false
	}
	now := r.client.now()
	r.mu.Lock()
	wait := now.Before(r.due)
	if !wait {
		r.due = now.Add(stampEvery)
	}
	r.mu.Unlock()
	if wait {
		return false
	}
	stamp := r.stamp() // without the lock: it reads the disk
	r.mu.Lock()
	defer r.mu.Unlock()
	same := stamp == r.seen
	r.seen = stamp
	return !same
}

// withAccount makes a call with the current account. If the login has changed, it renews the credential first; if the
// service refuses it, it renews the credential and repeats the call once with a different one. An unusable credential
// changes nothing. The error is then the refusal: that of the new credential if it was tried.
func withAccount[T any](ctx context.Context, c *Client, do func(*account) (T, error)) (T, error) {
	if c.renewals.changed() {
		_ = c.renew(ctx, c.renewals.mark())
	}
	mark, renewed := c.renewals.mark(), false
	for {
		a := c.current()
		v, err := do(a)
		switch {
		case err == nil:
			return v, nil
		case errors.Is(err, errReplaced) && c.current() != a:
			continue
		case KindOf(err) != KindAuth || renewed:
			return v, err
		}
		renewed = true
		if c.current() != a { // another call has signed in meanwhile
			continue
		}
		failed := c.renew(ctx, mark)
		if e, ok := errors.AsType[*Error](failed); ok && e.Kind == KindAuth {
			return v, failed
		}
		if c.current() == a {
			return v, err
		}
	}
}

// renew finds the credential again and signs in with it, or waits for a renewal that began after the mark.
func (c *Client) renew(ctx context.Context, mark int64) error {
	l := c.renewals.since(mark)
	if l == nil {
		return nil
	}
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
