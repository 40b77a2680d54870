package live

import (
	"context"
	"errors"
	"parley/session"
	"time"
)

// deliver runs one turn: it makes the session real if it is not, hands the prompt over and waits for the end of the turn,
// but after an interrupt no longer than the grace.
func (s *Session) deliver(it *item) {
	defer it.cancel()
	result := make(chan error, 1)
	left := make(chan struct{})
	go func() {
		defer close(left)
		result <- s.run(it)
	}()
	select {
	case err := <-result:
		s.finish(it, err)
		return
	case <-it.ctx.Done():
	}
	grace := time.NewTimer(s.m.d.Grace)
	defer grace.Stop()
	select {
	case err := <-result:
		s.finish(it, err)
	case <-grace.C:
		s.abandon(it, left)
	}
}

// run delivers the prompt. It may be left behind by deliver, so it changes nothing of the session unless its turn is
// still the current one.
func (s *Session) run(it *item) error {
	conv, err := s.open(it)
	if err != nil {
		return err
	}
	if err := s.recorded(it.ctx); err != nil {
		return err
	}
	if err := it.ctx.Err(); err != nil {
		return err
	}
	return conv.Send(it.ctx, it.turn, it.prompt, it.origin)
}

// finish ends the turn if the agent has not, and gives back what a session that could not be opened holds.
func (s *Session) finish(it *item, err error) {
	s.mu.Lock()
	if s.turns[it.turn] {
		s.endTurn(s.ending(it, err))
	}
	var gone session.Conversation
	if s.conv != nil && session.KindOf(err) == session.KindRuntime {
		gone = s.conv
		s.disown()
	}
	unopened := s.conv == nil && gone == nil
	s.mu.Unlock()
	if gone != nil {
		s.retire(gone, nil)
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.m.d.Grace)
	defer cancel()
	// The end is on disk before anybody acts upon it. Trouble with that is told by whoever writes the journal.
	if unopened {
		_ = s.giveBack(ctx)
	} else {
		_ = s.recorded(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over(it, err)
}

// over tells whoever waits for the item, once the sinks have seen the end of its turn. The lock is held.
func (s *Session) over(it *item, err error) {
	if it.ended.Outcome != session.TurnCancelled {
		it.err = err
	}
	s.then(func() { close(it.done) })
}

// ending words the end of a turn that the agent did not end itself. The lock is held.
func (s *Session) ending(it *item, err error) session.TurnEnded {
	e := session.TurnEnded{Head: s.head(it.turn)}
	switch kind := session.KindOf(err); {
	case it.ctx.Err() != nil && (err == nil || kind == session.KindCancelled || errors.Is(err, context.Canceled)):
		e.Outcome = session.TurnCancelled
		return e
	case kind == session.KindCancelled:
		e.Outcome = session.TurnCancelled
		return e
	case kind == session.KindRefused:
		e.Outcome = session.TurnRefused
	default:
		e.Outcome = session.TurnFailed
	}
	if err == nil {
		err = s.fail("send prompt", session.KindInternal, "the agent said nothing of how the turn ended")
	}
	e.Problem = session.ProblemOf(err, e.At)
	return e
}

// abandon gives up a turn whose conversation does not react to an interrupt: the turn is over, whatever it still says is
// dropped, and the next prompt opens a new conversation once this one is gone.
func (s *Session) abandon(it *item, left chan struct{}) {
	s.mu.Lock()
	s.endTurn(session.TurnEnded{Head: s.head(it.turn), Outcome: session.TurnCancelled})
	old := s.conv
	s.disown()
	s.current = nil
	s.mu.Unlock()
	s.retire(old, left)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over(it, nil)
}

// disown takes the conversation's voice away, and ends what only it could have ended. The lock is held.
func (s *Session) disown() {
	s.conv, s.speaker = nil, 0
	s.gen++
	for turn, running := range s.turns {
		if running {
			s.endTurn(session.TurnEnded{Head: s.head(turn), Outcome: session.TurnCancelled})
		}
	}
	for _, a := range s.openAsks() {
		s.settle(session.Settled{Head: s.headIn(a.asked.Head), Ask: a.asked.Ask, How: session.SettledCancelled})
	}
	for _, it := range s.queue {
		it.steering = false // nobody takes it any more
	}
}

// retire lets a conversation go away in the background. One that was still being opened is gone when left is closed.
func (s *Session) retire(old session.Conversation, left chan struct{}) {
	gone := make(chan struct{})
	s.mu.Lock()
	s.retired = append(s.retired, gone)
	s.mu.Unlock()
	go func() {
		defer close(gone)
		if old == nil {
			<-left
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), s.m.d.Grace)
		defer cancel()
		// There is nobody left to tell, and nothing left to do about it: the conversation has done what it can.
		_ = old.Close(ctx)
	}()
}

// awaitRetired waits until the conversations that were given up are gone, because two must never share a session.
func (s *Session) awaitRetired(ctx context.Context) error {
	s.mu.Lock()
	retired := s.retired
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, 2*s.m.d.Grace)
	defer cancel()
	for _, gone := range retired {
		select {
		case <-gone:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return ctx.Err()
			}
			return s.fail("open conversation", session.KindRuntime, "the interrupted one has not gone away yet")
		}
	}
	s.mu.Lock()
	s.retired = s.retired[len(retired):]
	s.mu.Unlock()
	return nil
}

// Abort interrupts the running turn and leaves the queue alone. It returns at once, also when the stream is dead. If the
// agent does not end the turn within the grace, it is ended without it.
func (s *Session) Abort() {
	s.mu.Lock()
	it, conv := s.current, s.conv
	s.mu.Unlock()
	switch {
	case it != nil:
		// This stops one turn and no other, also if the next one begins at this moment.
		it.cancel()
	case conv != nil:
		// The agent may run a turn that it began itself.
		go conv.Abort()
	}
}

// abortItem interrupts one turn if it is the running one.
func (s *Session) abortItem(it *item) {
	s.mu.Lock()
	mine := s.current == it
	s.mu.Unlock()
	if mine {
		s.Abort()
	}
}
