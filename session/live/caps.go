package live

import (
	"context"
	"errors"

	"parley/internal/crash"
	"parley/session"
	"parley/session/caps"
)

// CapsOf returns the limits of a session, wherever it runs, nil if it has none.
func CapsOf(s *Session) caps.Bounded {
	if l, is := s.Transport.(*local); is {
		return l.state.account
	}
	c, _ := s.Transport.(caps.Bounded)
	return c
}

// affordable returns an error if a limit of credits is reached, before something is sent.
func (st *state) affordable(ctx context.Context) error {
	if p := st.account.Check(ctx); p != nil {
		return &session.Error{Op: opSend, Kind: p.Kind, Err: errors.New(p.What + " " + p.Next)}
	}
	return nil
}

// admit returns an error if the turn of a prompt may not begin because a limit is reached, and holds the prompts behind it. It takes
// the lock.
func (st *state) admit(ctx context.Context) error {
	p := st.account.Check(ctx)
	st.Lock()
	defer st.Unlock()
	if st.capped = p; p == nil {
		return nil
	}
	st.queue.Hold()
	return &session.Error{Op: opSend, Kind: session.KindCancelled, Err: errors.New(p.What)}
}

// charge stops what runs if a limit of credits is reached, after an event of the turn was published, and looks in the background what
// other parleys have spent. A turn whose last request was just charged ends by itself. The lock is held.
func (r *runtime) charge(e session.Event) {
	if p := r.state.account.Reached(); p != nil {
		r.stopAt(p, r.meter.Ends(e))
		return
	}
	if r.reading || r.state.account == nil || r.state.closed {
		return
	}
	r.reading = true
	crash.Go(func() {
		p := r.state.account.Check(r.life)
		r.state.Lock()
		defer r.state.Unlock()
		if r.reading = false; p != nil && !r.state.closed {
			r.stopAt(p, r.meter.Calls == 0)
		}
	})
}

// stopAt ends the turn, unless it is about to end, and the child agents in the background at a limit. It holds the prompts that wait.
// The lock is held.
func (r *runtime) stopAt(p *session.Problem, last bool) {
	st, conv, it := r.state, r.conv, r.state.queue.Current
	st.capped, r.meter.Last = p, last
	st.queue.Hold()
	var children []session.CallID
	for _, c := range st.work.children {
		children = append(children, c.Call)
	}
	crash.Go(func() {
		switch {
		case last:
		case it != nil:
			it.Cancel()
		case conv != nil:
			conv.Abort()
		}
		stopper, can := conv.(session.Stopper)
		for _, call := range children {
			if can && call != "" {
				_ = stopper.Stop(r.life, call) // one that cannot be stopped is refused its next request by the proxy
			}
		}
	})
}
