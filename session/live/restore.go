package live

import (
	"fmt"
	"parley/session"
	"slices"
)

// restore fills a session with what happened in it and returns it folded. Asks and waiting prompts of another process
// that still has the session are kept back.
func (s *Session) restore(events []session.Event) *session.Transcript {
	t := &session.Transcript{}
	for _, e := range events {
		t.Apply(e)
	}
	for _, e := range events {
		if s.elsewhere && openIn(t, e) {
			s.hidden = append(s.hidden, e)
			continue
		}
		s.log.Add(e)
	}
	s.gen, s.settings = t.Gen, t.Settings
	if t.Title != "" {
		s.meta.Title = t.Title
	}
	for _, turn := range t.Turns {
		if turn.ID == "" {
			continue
		}
		s.turns[turn.ID] = false
		if s.meta.First == "" {
			s.meta.First = session.Subject(turn.Prompt.Text)
		}
	}
	return t
}

// openIn reports whether e is an ask nobody has answered, or a prompt that still waits.
func openIn(t *session.Transcript, e session.Event) bool {
	switch e := e.(type) {
	case session.Asked:
		return slices.ContainsFunc(t.Asks, func(a *session.Ask) bool { return a.Ask == e.Ask })
	case session.Queued:
		return slices.ContainsFunc(t.Queue, func(p session.Prompt) bool { return p.ID == e.Prompt.ID })
	}
	return false
}

// leaveOpen shows that another process has the session, and closes nothing. Only this process's user is told: the journal
// is the other's.
func (s *Session) leaveOpen(t *session.Transcript, pid int) {
	by := "another process"
	if pid > 0 {
		by = fmt.Sprintf("another process (pid %d)", pid)
	}
	for _, turn := range t.Turns {
		if turn.Running() {
			s.show(session.TurnEnded{Head: s.head(turn.ID), Outcome: session.TurnElsewhere,
				Problem: &session.Problem{Kind: session.KindLocked, What: "This turn goes on in " + by + "."}})
		}
	}
	s.show(session.Notice{Head: s.head(""), Severity: session.Info,
		Text: "This session is open in " + by + ". It can be read here; to go on here, close it there first."})
}

// adopt closes what another process left open, now that the session is this one's. The lock is held.
func (s *Session) adopt() {
	t := &session.Transcript{}
	for _, e := range s.hidden {
		t.Apply(withGen(e, 0)) // it comes too early in this order, and its generation must hide nothing
	}
	for _, e := range s.log.All() {
		t.Apply(e)
	}
	hidden := map[session.PromptID]session.Queued{}
	for _, e := range s.hidden {
		if q, ok := e.(session.Queued); ok {
			hidden[q.Prompt.ID] = q
		}
	}
	for _, p := range t.Queue { // in the order in which they wait by now
		if q, ok := hidden[p.ID]; ok {
			s.show(withGen(q, s.gen))
		}
	}
	s.hidden = nil
	s.closeLeftovers(t)
}

// closeLeftovers settles the asks, ends the turns and holds the prompts that a process left when it died. What is this
// process's own goes on. The lock is held, or nobody else has s yet.
func (s *Session) closeLeftovers(t *session.Transcript) {
	for _, a := range t.Asks {
		if s.asks[a.Ask] == nil {
			s.say(session.Settled{Head: s.headIn(a.Head), Ask: a.Ask, How: session.SettledCancelled})
		}
	}
	for _, turn := range t.Turns {
		if !s.turns[turn.ID] {
			s.endChildren(turn.ID, turn.Entries)
		}
	}
	cut := 0
	for _, turn := range t.Turns {
		if (turn.Running() || turn.Outcome == session.TurnElsewhere) && !s.turns[turn.ID] {
			s.say(session.TurnEnded{Head: s.head(turn.ID), Outcome: session.TurnCancelled})
			cut++
		}
	}
	if cut > 0 {
		s.say(session.Notice{Head: s.head(""), Severity: session.Info, Text: "parley ended in the middle of this turn. Send a prompt to go on."})
	}
	s.holdLeftovers(t.Queue)
}

// holdLeftovers makes prompts wait that nobody waits for any more. They keep their order, before what was sent since. They
// are told to whoever looks each time, and not to the journal, in which the telling would pile up.
func (s *Session) holdLeftovers(queue []session.Prompt) {
	n := 0
	for _, p := range queue {
		if slices.ContainsFunc(s.queue, func(it *item) bool { return it.prompt.ID == p.ID }) {
			continue
		}
		at := 0
		for at < len(s.queue) && s.queue[at].held {
			at++
		}
		s.queue = slices.Insert(s.queue, at,
			&item{prompt: p, turn: session.TurnID(p.ID), origin: session.OriginQueued, held: true, done: make(chan struct{})})
		n++
	}
	switch {
	case n == 1:
		s.show(session.Notice{Head: s.head(""), Severity: session.Info,
			Text: "A prompt was waiting when parley ended. It still waits and is not sent until you say so."})
	case n > 1:
		s.show(session.Notice{Head: s.head(""), Severity: session.Info,
			Text: fmt.Sprintf("%d prompts were waiting when parley ended. They still wait and are not sent until you say so.", n)})
	}
}

// endChildren ends the children that still ran, inner ones first.
func (s *Session) endChildren(turn session.TurnID, entries []session.Entry) {
	for _, e := range entries {
		c, ok := e.(*session.Child)
		if !ok {
			continue
		}
		s.endChildren(turn, c.Entries)
		if !c.Ended {
			h := s.head(turn)
			h.Child = c.Parent
			s.say(session.ChildEnded{Head: h, ID: c.ID, Outcome: session.TurnCancelled})
		}
	}
}
