package live

import (
	"context"
	"errors"

	"parley/internal/crash"
	"parley/session"
)

// Close aborts the running turn, then closes the conversation, the endpoint and the journal. It waits until ctx ends, and
// finishes in the background. Waiting prompts stay in the journal. It may be called more than once, and every call waits.
func (s *local) Close(ctx context.Context) error {
	s.state.Lock()
	if !s.state.closed {
		s.state.closed = true
		s.endLife()
		s.state.queue.DropAll(&session.Error{Op: opSend, Kind: session.KindCancelled, Err: errClosed})
		crash.Go(func() { shutDown(ctx, s) })
	}
	s.state.Unlock()
	select {
	case <-s.shut:
		return s.shutErr
	case <-ctx.Done():
		return &session.Error{Op: "close session", Kind: session.KindStalled, Err: ctx.Err()}
	}
}

// shutDown does the work of Close.
func shutDown(ctx context.Context, s *local) {
	defer close(s.shut)
	defer s.m.forget(s)
	var errs []error
	s.state.Lock()
	it, conv := s.state.queue.Current, s.runtime.conv
	s.state.Unlock()
	if it != nil {
		it.Cancel()
	}
	if conv != nil {
		errs = append(errs, conv.Close(ctx))
	}
	// A conversation that was being opened closes itself, because its turn was interrupted.
	errs = append(errs, s.state.waitWhile(ctx, func() bool { return s.state.queue.Working }))
	s.state.Lock()
	s.state.endWork(session.WhyWithParley)
	s.runtime.dropConversation()
	s.state.Unlock()
	for _, gone := range s.runtime.retired.all() {
		select {
		case <-gone:
		case <-ctx.Done():
			errs = append(errs, ctx.Err())
		}
	}
	// What the last calls changed is journaled, too.
	errs = append(errs, s.files.close(ctx), s.titles.wait(ctx), s.label.Finish(ctx), s.Wait(ctx), s.storage.saveAtClose(ctx), s.runtime.release(ctx))
	s.state.account.Close()
	s.shutErr = errors.Join(errs...)
}
