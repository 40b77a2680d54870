package session

// child returns the child of a head, and adds an unknown one at the top level of its turn.
func (t *Transcript) child(h Head) *spot[*Child] {
	if s := t.index.children[h.Child]; s != nil {
		return s
	}
	top := h
	top.Child = ""
	return t.addChild(top, &Child{ID: h.Child}, false)
}

func (t *Transcript) addChild(h Head, c *Child, announced bool) *spot[*Child] {
	c.Parent, c.Started, c.rev = h.Child, h.At, 1
	s := &spot[*Child]{it: c, at: t.put(h, c), said: h.Turn, announced: announced}
	if t.index.children == nil {
		t.index.children = map[ChildID]*spot[*Child]{}
	}
	t.index.children[c.ID] = s
	t.childBegins(s)
	return s
}

func (t *Transcript) childStarted(e ChildStarted) Change {
	if e.ID == "" {
		return nothing
	}
	s := t.index.children[e.ID]
	if s == nil && e.Child == e.ID {
		// A child cannot be its own parent.
		e.Child = ""
	}
	if s == nil {
		c := &Child{ID: e.ID, Call: e.Call, Name: e.Name, Description: e.Description, Background: e.Background}
		return touched(t.addChild(e.Head, c, true).at)
	}
	if c := s.it; s.announced && e.Resumed && c.Ended {
		c.Ended, c.closed, c.Outcome, c.Summary, c.Started = false, false, "", "", e.At
		c.Background = c.Background || e.Background
		t.childBegins(s)
		t.index.bump(e.ID)
		return touched(s.at)
	}
	if s.announced {
		if !e.Background || s.it.Background {
			return nothing
		}
		s.it.Background = true
		t.childBegins(s)
		t.index.bump(e.ID)
		return touched(s.at)
	}
	s.announced = true
	c := s.it
	c.Call, c.Name, c.Description, c.Background = e.Call, e.Name, e.Description, e.Background
	t.childBegins(s)
	t.index.bump(e.ID)
	return touched(s.at)
}

func (t *Transcript) childEnded(e ChildEnded) Change {
	s := t.index.children[e.ID]
	if s == nil || s.it.Ended && !s.it.closed {
		return nothing
	}
	marked := s.it.Background && !s.it.Ended
	s.it.Ended, s.it.closed = true, false
	s.it.Outcome, s.it.Summary = e.Outcome, e.Summary
	if s.it.Outcome == "" {
		s.it.Outcome = TurnCompleted
	}
	t.index.bump(e.ID)
	t.index.behind.remove(behind, Work{Child: s.it})
	t.Turns[s.at.turn].work.remove(open, Work{Child: s.it})
	c := touched(s.at)
	if marked {
		t.index.past.add(past, Work{Child: s.it})
		t.markEnd(e.Head, e)
		c.Marked = true
	}
	return c
}

// childBegins lists a child among what runs, and records the call that started it.
func (t *Transcript) childBegins(s *spot[*Child]) {
	c := s.it
	if c.Call != "" {
		if t.index.agents == nil {
			t.index.agents = map[CallID]ChildID{}
		}
		t.index.agents[c.Call] = c.ID
		if call := t.index.tools[c.Call]; call != nil {
			call.it.delegated = true
		}
	}
	if c.Ended {
		return
	}
	t.Turns[s.at.turn].work.add(open, Work{Child: c})
	if c.Background {
		t.index.list(Work{Child: c}, true)
	}
}
