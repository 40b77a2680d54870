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
	if s.announced && e.Resumed && s.it.Ended {
		s.it.Ended, s.it.closed, s.it.Outcome, s.it.Summary = false, false, "", ""
		s.it.Background = s.it.Background || e.Background
		t.index.bump(e.ID)
		return touched(s.at)
	}
	if s.announced {
		if !e.Background || s.it.Background {
			return nothing
		}
		s.it.Background = true
		t.index.bump(e.ID)
		return touched(s.at)
	}
	s.announced = true
	c := s.it
	c.Call, c.Name, c.Description, c.Background = e.Call, e.Name, e.Description, e.Background
	t.index.bump(e.ID)
	return touched(s.at)
}

func (t *Transcript) childEnded(e ChildEnded) Change {
	s := t.index.children[e.ID]
	if s == nil || s.it.Ended && !s.it.closed {
		return nothing
	}
	s.it.Ended, s.it.closed = true, false
	s.it.Outcome, s.it.Summary = e.Outcome, e.Summary
	if s.it.Outcome == "" {
		s.it.Outcome = TurnCompleted
	}
	t.index.bump(e.ID)
	return touched(s.at)
}
