package live

import (
	"context"
	"parley/session"
)

// open returns the session's conversation, and makes it if there is none, in the order in which nothing can be lost:
// the journal first, then, unless the user has already interrupted, the endpoint and the agent, and once more the
// question whether it is still wanted. Only then is the conversation known to anybody.
func (s *Session) open(it *item) (session.Conversation, error) {
	s.mu.Lock()
	conv := s.conv
	s.mu.Unlock()
	if conv != nil {
		return conv, nil
	}
	if s.agent == nil {
		return nil, s.fail("open conversation", session.KindUnsupported, "the agent %q of this session is not available", s.Meta().Agent)
	}
	if err := s.awaitRetired(it.ctx); err != nil {
		return nil, err
	}
	if err := s.openJournal(it); err != nil {
		return nil, err
	}
	if err := it.ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.openEndpoint(it); err != nil {
		return nil, err
	}
	return s.openAgent(it)
}

// openJournal creates the session's journal, or opens it again.
func (s *Session) openJournal(it *item) error {
	if err := s.awaitKeeping(it.ctx); err != nil {
		return err
	}
	s.mu.Lock()
	stored, has := s.stored, s.journal != nil
	s.mu.Unlock()
	if has {
		return nil
	}
	var j session.Journal
	var events []session.Event
	var err error
	if stored {
		j, _, events, err = s.m.d.Journals.Open(it.ctx, s.id)
	} else {
		j, err = s.m.d.Journals.Create(it.ctx, s.Meta())
	}
	if err != nil {
		s.mu.Lock()
		s.elsewhere = s.elsewhere || stored && session.KindOf(err) == session.KindLocked
		s.mu.Unlock()
		return err
	}
	s.mu.Lock()
	if s.current != it {
		s.mu.Unlock()
		_ = j.Close() // the turn was given up meanwhile; nothing was written
		return context.Canceled
	}
	s.takeJournal(j, events)
	s.mu.Unlock()
	return nil
}

// takeJournal begins to write to a journal that was just opened and holds the events. What another process did since it
// was read is shown first, and what it left open is closed. The lock is held.
func (s *Session) takeJournal(j session.Journal, events []session.Event) {
	if s.resumed {
		added := s.read.added(events)
		s.catchUp(added)
		if len(added) > 0 || s.elsewhere {
			s.adopt()
		}
	}
	s.read, s.elsewhere = readMark{events: -1}, false
	s.stored = true
	if c, ok := j.(session.TurnCounter); ok {
		c.CountTurns(len(s.turns) - s.unwrittenTurns())
	}
	s.startJournal(j)
}

// unwrittenTurns counts the turns that the journal does not have yet. The lock is held.
func (s *Session) unwrittenTurns() int {
	n := 0
	for _, w := range s.unwritten {
		if _, ok := w.event.(session.TurnStarted); ok {
			n++
		}
	}
	return n
}

func (s *Session) openEndpoint(it *item) error {
	if _, err := s.endpointFor(it.ctx); err != nil {
		return err
	}
	s.mu.Lock()
	given := s.current != it
	s.mu.Unlock()
	if given { // the turn was given up meanwhile
		s.closeUnusedEndpoint()
		return context.Canceled
	}
	return nil
}

func (s *Session) openAgent(it *item) (session.Conversation, error) {
	s.mu.Lock()
	if s.current != it {
		s.mu.Unlock()
		return nil, context.Canceled
	}
	s.gen++
	speaker := s.gen
	s.speaker = speaker
	settings := s.settings
	o := session.OpenOptions{
		Session: s.id, Gen: speaker, Dir: s.meta.Dir, Dirs: append([]string(nil), s.meta.Dirs...), Settings: settings,
		Endpoint: s.endpoint, Emit: func(e session.Event) { s.hear(speaker, e) },
	}
	past := s.log.All()
	s.mu.Unlock()
	o.History = history(past, it.turn)
	conv, err := s.agent.Open(it.ctx, o)
	s.mu.Lock()
	s.cool(s.warm) // what was prepared is taken, or of no use
	s.mu.Unlock()
	if err != nil {
		s.mu.Lock()
		if s.speaker == speaker {
			s.speaker = 0
		}
		s.mu.Unlock()
		return nil, err
	}
	s.mu.Lock()
	if s.current == it && it.ctx.Err() == nil {
		s.conv, s.opened = conv, settings
		s.configure()
		for _, a := range s.openAsks() {
			if s.m.d.Unattended {
				s.refuse(a)
			}
		}
		s.mu.Unlock()
		return conv, nil
	}
	if s.speaker == speaker {
		s.speaker = 0
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), s.m.d.Grace)
	defer cancel()
	_ = conv.Close(ctx) // nobody has seen it
	return nil, context.Canceled
}

// history folds what happened before the given turn, nil if that was nothing.
func history(events []session.Event, but session.TurnID) *session.Transcript {
	t := &session.Transcript{}
	for _, e := range events {
		if e.Header().Turn != but {
			t.Apply(e)
		}
	}
	if len(t.Turns) == 0 {
		return nil
	}
	return t
}

// giveBack closes the endpoint and the journal of a session that has no conversation, so that others may have it.
func (s *Session) giveBack(ctx context.Context) error {
	s.mu.Lock()
	l := s.stopJournal()
	s.mu.Unlock()
	s.giveBackEndpoint()
	if l == nil {
		return nil
	}
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
