package live

import (
	"context"
	"parley/session"
	"slices"
)

// unkept reports whether the user chose something that no journal gets to know as long as nothing is sent: settings, or
// prompts moved or taken back, in a stored session whose journal is not open. The lock is held.
func (s *Session) unkept() bool {
	return s.stored && s.journal == nil && slices.ContainsFunc(s.unwritten, func(w toWrite) bool {
		switch w.event.(type) {
		case session.ModelChanged, session.ModeChanged, session.TitleChanged, session.Unqueued, session.Requeued:
			return true
		}
		return false
	})
}

// keepSoon stores in the background what the user chose, so that it survives a kill. With that the session is this
// process's own, as if a prompt had been sent. Where a prompt is being delivered, that opens the journal anyway. The lock
// is held.
func (s *Session) keepSoon() {
	if s.working || s.closed || s.keeping != nil || !s.unkept() {
		return
	}
	s.pinSettings()
	done := make(chan struct{})
	s.keeping = done
	go func() {
		err := s.keepChoices(s.life, false)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.keeping = nil
		close(done)
		s.tellUnkept(err)
	}()
}

// pinSettings makes sure that all settings the user sees are among what is to be written, not only those that were changed
// last: what another process chose meanwhile must not take the place of a permission mode that nobody touched here. The
// lock is held.
func (s *Session) pinSettings() {
	model, mode := false, false
	for _, w := range s.unwritten {
		switch w.event.(type) {
		case session.ModelChanged:
			model = true
		case session.ModeChanged:
			mode = true
		}
	}
	if !model && s.settings.Model != "" {
		s.write(toWrite{event: session.ModelChanged{Head: s.head(""), Model: s.settings.Model, Effort: s.settings.Effort}})
	}
	if !mode && s.settings.Mode != "" {
		s.write(toWrite{event: session.ModeChanged{Head: s.head(""), Mode: s.settings.Mode}})
	}
}

// keepChoices opens the journal and lets it have what is not yet written. In the background it gives up once somebody
// closes the session, because that sees to what is not yet written.
func (s *Session) keepChoices(ctx context.Context, closing bool) error {
	j, _, events, err := s.m.d.Journals.Open(ctx, s.id)
	if err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed && !closing {
		s.mu.Unlock()
		return j.Close()
	}
	s.takeJournal(j, events)
	s.mu.Unlock()
	return nil
}

// tellUnkept says once that what the user chose is not stored; it holds all the same. The lock is held.
func (s *Session) tellUnkept(err error) {
	if err == nil {
		s.unkeptTold = false
		return
	}
	if s.unkeptTold || s.closed {
		return
	}
	s.unkeptTold = true
	s.show(session.Notice{Head: s.head(""), Severity: session.Warning,
		Text: "What you chose holds here, but it is not stored yet. " + session.ProblemOf(err, s.m.d.Now()).What})
}

// awaitKeeping waits until nothing is being stored in the background, because a journal is opened once.
func (s *Session) awaitKeeping(ctx context.Context) error {
	for {
		s.mu.Lock()
		keeping := s.keeping
		s.mu.Unlock()
		if keeping == nil {
			return nil
		}
		select {
		case <-keeping:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// keepAtClose stores what the user chose and is still not stored. If another process has the journal by now, that one
// decides.
func (s *Session) keepAtClose(ctx context.Context) error {
	if err := s.awaitKeeping(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	wanted := s.unkept()
	s.mu.Unlock()
	if !wanted {
		return nil
	}
	if err := s.keepChoices(ctx, true); session.KindOf(err) != session.KindLocked {
		return err
	}
	return nil
}
