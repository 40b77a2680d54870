package session

import "strings"

func (t *Transcript) addPart(h Head, id PartID, kind PartKind, announced bool) *spot[*Part] {
	if kind == "" {
		kind = PartText
	}
	p := &Part{ID: id, Kind: kind, Child: h.Child, Started: h.At, rev: 1}
	s := &spot[*Part]{it: p, at: t.put(h, p), said: h.Turn, announced: announced}
	if t.index.parts == nil {
		t.index.parts = map[PartID]*spot[*Part]{}
	}
	t.index.parts[id] = s
	t.Turns[s.at.turn].goOn()
	return s
}

// changePart applies a change to a part, if that is known, and reports what it touched if there was a change.
func (t *Transcript) changePart(s *spot[*Part], change func(*Part) bool) Change {
	if s == nil {
		return nothing
	}
	was := s.it.Len()
	if !change(s.it) {
		return nothing
	}
	s.it.rev++
	t.index.bump(s.at.child)
	turn := t.Turns[s.at.turn]
	turn.goOn()
	turn.wrote(s.at.child, s.it.Len()-was)
	return touched(s.at)
}

func (t *Transcript) partStarted(e PartStarted) Change {
	s := t.index.parts[e.Part]
	if s == nil || s.announced && s.said != e.Turn {
		return touched(t.addPart(e.Head, e.Part, e.Kind, true).at)
	}
	if s.announced || s.it.Retracted {
		return nothing
	}
	s.announced = true
	return t.changePart(s, func(p *Part) bool {
		p.setKind(e.Kind)
		return true
	})
}

func (t *Transcript) partDelta(e PartDelta) Change {
	s := t.index.parts[e.Part]
	if s == nil {
		s = t.addPart(e.Head, e.Part, PartText, false)
		t.changePart(s, func(p *Part) bool { return p.add(e) })
		return touched(s.at)
	}
	return t.changePart(s, func(p *Part) bool { return p.add(e) })
}

func (t *Transcript) partReplaced(e PartReplaced) Change {
	s := t.index.parts[e.Part]
	if s == nil {
		s = t.addPart(e.Head, e.Part, e.Kind, true)
	}
	return t.changePart(s, func(p *Part) bool {
		if !p.replace(e) {
			return false
		}
		s.announced = true
		return true
	})
}

// setKind corrects the kind, which begins a new epoch.
func (p *Part) setKind(kind PartKind) {
	if kind != "" && p.Kind != kind {
		p.Kind = kind
		p.Epoch++
	}
}

// add appends text. After the end of the part it begins a new epoch, because views took the part for complete.
func (p *Part) add(e PartDelta) bool {
	if p.Retracted || p.committed || e.Text == "" {
		return false
	}
	if p.Ended {
		p.Epoch++
	}
	p.text.extend(e.Text, e.whole)
	return true
}

// end ends the part, or adds what an earlier end did not have.
func (p *Part) end(e PartEnded) bool {
	if p.Retracted || p.Ended && (e.Opaque == nil || p.Opaque != nil) && (e.Duration == 0 || p.Duration != 0) {
		return false
	}
	p.Ended = true
	if p.Duration == 0 {
		p.Duration = e.Duration
	}
	if p.Opaque == nil {
		p.Opaque = e.Opaque
	}
	return true
}

// replace sets the final text. Text that only continues the old one begins no new epoch.
func (p *Part) replace(e PartReplaced) bool {
	if p.Retracted {
		return false
	}
	p.setKind(e.Kind)
	if rest, ok := strings.CutPrefix(e.Text, p.Text()); ok {
		p.text.WriteString(rest)
	} else {
		p.text.Reset()
		p.text.WriteString(e.Text)
		p.Epoch++
	}
	if e.Opaque != nil {
		p.Opaque = e.Opaque
	}
	p.Ended, p.committed = true, true
	return true
}

// retract removes the text. The part stays in its place.
func (p *Part) retract() bool {
	if p.Retracted {
		return false
	}
	p.text.Reset()
	p.Opaque = nil
	p.Retracted, p.Ended = true, true
	p.Epoch++
	return true
}
