package live

import "parley/session"

// hear takes an event from the conversation that was opened as speaker. It never blocks. Output of a conversation that
// was given up, and of an older generation than the newest one heard, is dropped before anybody sees it.
func (s *Session) hear(speaker session.Generation, e session.Event) {
	if e == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := e.Header()
	if speaker != s.speaker || h.Gen != 0 && h.Gen < s.gen {
		return
	}
	s.gen = max(s.gen, h.Gen)
	switch e := e.(type) {
	case session.TurnStarted:
		s.hearTurn(e)
	case session.TurnEnded:
		s.endTurn(e)
	case session.Asked:
		s.hearAsk(e)
	case session.Settled:
		s.settle(e)
	case session.Steered:
		s.takeWaiting(e.Prompt)
		s.say(e)
	case session.Queued, session.Unqueued, session.Requeued:
		// The queue is the manager's.
	case session.ModelChanged:
		s.hearModel(e)
	case session.ModeChanged:
		s.hearMode(e)
	case session.TitleChanged:
		s.meta.Title = e.Title
		s.say(e)
	default:
		s.say(e)
	}
}

// hearTurn opens a turn that the agent began. A turn that the manager opened itself, to show and keep the prompt at once,
// is not opened again.
func (s *Session) hearTurn(e session.TurnStarted) {
	if _, known := s.turns[e.Turn]; known || e.Turn == "" {
		return
	}
	s.takeWaiting(e.Prompt.ID)
	s.turns[e.Turn] = true
	s.say(e)
}

// endTurn closes a turn, once, with all asks that are still open in it. A child in the background may go on asking after
// a turn that ended well. The lock is held.
func (s *Session) endTurn(e session.TurnEnded) {
	if !s.turns[e.Turn] {
		return
	}
	broken := e.Outcome == session.TurnCancelled || e.Outcome == session.TurnFailed
	for _, a := range s.openAsks() {
		if a.asked.Turn == e.Turn && (broken || a.asked.Child == "") {
			s.settle(session.Settled{Head: s.headIn(a.asked.Head), Ask: a.asked.Ask, How: session.SettledCancelled})
		}
	}
	s.turns[e.Turn] = false
	if it := s.current; it != nil && it.turn == e.Turn {
		it.ended = e
	}
	s.say(e)
	s.rest()
}

// headIn returns a head of the manager's own in the place of h.
func (s *Session) headIn(h session.Head) session.Head {
	own := s.head(h.Turn)
	own.Child = h.Child
	return own
}

// rest wakes whoever waits for something to be over. The lock is held.
func (s *Session) rest() {
	for _, w := range s.idle {
		close(w)
	}
	s.idle = nil
}

// busy reports whether something runs, waits to be delivered, or is still being told. The lock is held.
func (s *Session) busy() bool {
	if s.working || s.feed.pumping {
		return true
	}
	for _, running := range s.turns {
		if running {
			return true
		}
	}
	return false
}
