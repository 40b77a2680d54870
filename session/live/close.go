package live

import (
	"context"
	"errors"
	"parley/session"
)

// Close aborts what runs, closes the conversation, then the endpoint, then the journal, and waits for that at most until
// ctx ends; what is not done by then goes on in the background. Prompts that still wait stay in the journal and wait
// there. It may be called more than once, and every call waits.
func (s *Session) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		s.endLife()
		for _, it := range s.queue {
			s.drop(it, &session.Error{Op: "send prompt", Kind: session.KindCancelled, Err: errClosed})
		}
		s.queue = nil
		go s.shutDown(ctx)
	}
	s.mu.Unlock()
	select {
	case <-s.shut:
		return s.shutErr
	case <-ctx.Done():
		return &session.Error{Op: "close session", Kind: session.KindStalled, Err: ctx.Err()}
	}
}

// shutDown does what Close says.
func (s *Session) shutDown(ctx context.Context) {
	defer close(s.shut)
	defer s.m.forget(s)
	var errs []error
	s.mu.Lock()
	it, conv := s.current, s.conv
	s.mu.Unlock()
	if it != nil {
		it.cancel()
	}
	if conv != nil {
		errs = append(errs, conv.Close(ctx))
	}
	// A conversation that was being opened closes itself, because its turn was interrupted.
	errs = append(errs, s.waitWhile(ctx, func() bool { return s.working }))
	s.mu.Lock()
	s.disown()
	retired := s.retired
	s.mu.Unlock()
	for _, gone := range retired {
		select {
		case <-gone:
		case <-ctx.Done():
			errs = append(errs, ctx.Err())
		}
	}
	errs = append(errs, s.Wait(ctx), s.keepAtClose(ctx), s.giveBack(ctx))
	s.shutErr = errors.Join(errs...)
}
