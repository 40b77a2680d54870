package session

import (
	"fmt"
	"slices"
)

// restore fills a session with what happened in it and returns it folded. Asks and waiting prompts of another process
// that still has the session are kept back.
func (s *Session) restore(events []Event) *Transcript {
	t := &Transcript{}
	for _, e := range events {
		t.Apply(e)
	}
	for _, e := range events {
		if s.elsewhere && openIn(t, e) {
			s.hidden = append(s.hidden, e)
			continue
		}
		s.log.add(e)
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
			s.meta.First = oneSubject(turn.Prompt.Text)
		}
	}
	return t
}

// openIn reports whether e is an ask nobody has answered, or a prompt that still waits.
func openIn(t *Transcript, e Event) bool {
	switch e := e.(type) {
	case Asked:
		return slices.ContainsFunc(t.Asks, func(a *Ask) bool { return a.Ask == e.Ask })
	case Queued:
		return slices.ContainsFunc(t.Queue, func(p Prompt) bool { return p.ID == e.Prompt.ID })
	}
	return false
}

// leaveOpen shows that another process has the session, and closes nothing. Only this process's user is told: the journal
// is the other's.
func (s *Session) leaveOpen(t *Transcript, pid int) {
	by := "another process"
	if pid > 0 {
		by = fmt.Sprintf("another process (pid %d)", pid)
	}
	for _, turn := range t.Turns {
		if turn.Running() {
			s.show(TurnEnded{Head: s.head(turn.ID), Outcome: TurnElsewhere,
				Problem: &Problem{Kind: KindLocked, What: "This turn goes on in " + by + "."}})
		}
	}
	s.show(Notice{Head: s.head(""), Severity: Info,
		Text: "This session is open in " + by + ". It can be read here; to go on here, close it there first."})
}

// adopt closes what another process left open, now that the session is this one's. The lock is held.
func (s *Session) adopt() {
	t := &Transcript{}
	for _, e := range s.hidden {
		t.Apply(withGen(e, 0)) // it comes too early in this order, and its generation must hide nothing
	}
	for _, e := range s.log.all() {
		t.Apply(e)
	}
	hidden := map[PromptID]Queued{}
	for _, e := range s.hidden {
		if q, ok := e.(Queued); ok {
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
func (s *Session) closeLeftovers(t *Transcript) {
	for _, a := range t.Asks {
		if s.asks[a.Ask] == nil {
			s.say(Settled{Head: s.headIn(a.Head), Ask: a.Ask, How: SettledCancelled})
		}
	}
	for _, turn := range t.Turns {
		if !s.turns[turn.ID] {
			s.endChildren(turn.ID, turn.Entries)
		}
	}
	cut := 0
	for _, turn := range t.Turns {
		if (turn.Running() || turn.Outcome == TurnElsewhere) && !s.turns[turn.ID] {
			s.say(TurnEnded{Head: s.head(turn.ID), Outcome: TurnCancelled})
			cut++
		}
	}
	if cut > 0 {
		s.say(Notice{Head: s.head(""), Severity: Info, Text: "parley ended in the middle of this turn. Send a prompt to go on."})
	}
	s.holdLeftovers(t.Queue)
}

// holdLeftovers makes prompts wait that nobody waits for any more. They keep their order, before what was sent since. They
// are told to whoever looks each time, and not to the journal, in which the telling would pile up.
func (s *Session) holdLeftovers(queue []Prompt) {
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
			&item{prompt: p, turn: TurnID(p.ID), origin: OriginQueued, held: true, done: make(chan struct{})})
		n++
	}
	switch {
	case n == 1:
		s.show(Notice{Head: s.head(""), Severity: Info,
			Text: "A prompt was waiting when parley ended. It still waits and is not sent until you say so."})
	case n > 1:
		s.show(Notice{Head: s.head(""), Severity: Info,
			Text: fmt.Sprintf("%d prompts were waiting when parley ended. They still wait and are not sent until you say so.", n)})
	}
}

// endChildren ends the children that still ran, inner ones first.
func (s *Session) endChildren(turn TurnID, entries []Entry) {
	for _, e := range entries {
		c, ok := e.(*Child)
		if !ok {
			continue
		}
		s.endChildren(turn, c.Entries)
		if !c.Ended {
			h := s.head(turn)
			h.Child = c.Parent
			s.say(ChildEnded{Head: h, ID: c.ID, Outcome: TurnCancelled})
		}
	}
}
