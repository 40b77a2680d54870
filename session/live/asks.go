package live

import (
	"cmp"
	"parley/session"
	"slices"
)

// openAsk is a question nobody has settled yet.
type openAsk struct {
	asked session.Asked
	order int
	// answered says that an answer is on its way to the agent, unattended that nobody gave it.
	answered, unattended bool
	answer               session.Answer
}

// openAsks returns the open asks, oldest first. The lock is held.
func (s *Session) openAsks() []*openAsk {
	all := make([]*openAsk, 0, len(s.asks))
	for _, a := range s.asks {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *openAsk) int { return cmp.Compare(a.order, b.order) })
	return all
}

func (s *Session) hearAsk(e session.Asked) {
	if s.asks[e.Ask] != nil {
		return
	}
	a := &openAsk{asked: e, order: int(s.feed.seq)}
	s.asks[e.Ask] = a
	s.say(e)
	if s.m.d.Unattended {
		s.refuse(a)
	}
}

// refuse answers an ask in the name of nobody. The agent may be asking from within a call of ours, so the answer comes
// from a goroutine of its own. The lock is held.
func (s *Session) refuse(a *openAsk) {
	if s.conv == nil || a.answered {
		return // it is refused as soon as the conversation is open
	}
	a.answered, a.unattended = true, true
	a.answer = session.Answer{Decision: session.Deny, Message: session.UnattendedReason}
	conv := s.conv
	go func() {
		err := conv.Answer(a.asked.Ask, a.answer)
		s.answered(a, err)
	}()
}

// Answer answers an open ask, once. A later answer to the same ask is an error of kind [KindNotFound]. An answer that the
// agent could not take leaves the ask open.
func (s *Session) Answer(ask session.AskID, answer session.Answer) error {
	s.mu.Lock()
	a := s.asks[ask]
	if a == nil || a.answered || s.conv == nil {
		s.mu.Unlock()
		return s.fail("answer", session.KindNotFound, "nothing open is called %q", ask)
	}
	a.answered, a.answer = true, answer
	conv := s.conv
	s.mu.Unlock()
	err := conv.Answer(ask, answer)
	s.answered(a, err)
	return err
}

// answered takes note of what the agent said to an answer. Where the agent has not settled the ask itself, it is settled
// here, so that nobody waits for that.
func (s *Session) answered(a *openAsk, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asks[a.asked.Ask] != a {
		return
	}
	if err != nil && !a.unattended {
		a.answered = false
		return
	}
	s.settle(session.Settled{Head: s.headIn(a.asked.Head), Ask: a.asked.Ask, How: session.SettledAnswered, Answer: a.answer})
}

// settle closes an open ask, once. The lock is held.
func (s *Session) settle(e session.Settled) {
	a := s.asks[e.Ask]
	if a == nil {
		return
	}
	delete(s.asks, e.Ask)
	if a.unattended && e.How == session.SettledAnswered {
		e.How = session.SettledUnattended
		e.Answer = a.answer
	}
	s.say(e)
}
