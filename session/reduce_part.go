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
	t.going(s.at.turn)
	return s
}

// touchPart raises the revisions that a change of the part raises.
func (t *Transcript) touchPart(s *spot[*Part]) Change {
	s.it.rev++
	if s.at.child != "" {
		t.bump(s.at.child)
	}
	t.going(s.at.turn)
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
	if e.Kind != "" && s.it.Kind != e.Kind {
		s.it.Kind = e.Kind
		s.it.Epoch++
	}
	return t.touchPart(s)
}

func (t *Transcript) partDelta(e PartDelta) Change {
	s := t.index.parts[e.Part]
	if s == nil {
		s = t.addPart(e.Head, e.Part, PartText, false)
		s.it.text.WriteString(e.Text)
		return touched(s.at)
	}
	if s.it.Retracted || s.committed || e.Text == "" {
		return nothing
	}
	if s.it.Ended {
		// Whoever laid the part out believes it to be whole.
		s.it.Epoch++
	}
	s.it.text.WriteString(e.Text)
	return t.touchPart(s)
}

func (t *Transcript) partEnded(e PartEnded) Change {
	s := t.index.parts[e.Part]
	if s == nil || s.it.Retracted {
		return nothing
	}
	p := s.it
	if p.Ended && (e.Opaque == nil || p.Opaque != nil) && (e.Duration == 0 || p.Duration != 0) {
		return nothing
	}
	p.Ended = true
	if p.Duration == 0 {
		p.Duration = e.Duration
	}
	if p.Opaque == nil {
		p.Opaque = e.Opaque
	}
	return t.touchPart(s)
}

func (t *Transcript) partReplaced(e PartReplaced) Change {
	s := t.index.parts[e.Part]
	if s == nil {
		s = t.addPart(e.Head, e.Part, e.Kind, true)
	}
	p := s.it
	if p.Retracted {
		return nothing
	}
	if e.Kind != "" && p.Kind != e.Kind {
		p.Kind = e.Kind
		p.Epoch++
	}
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
	p.Ended, s.committed, s.announced = true, true, true
	return t.touchPart(s)
}

func (t *Transcript) partRetracted(e PartRetracted) Change {
	s := t.index.parts[e.Part]
	if s == nil || s.it.Retracted {
		return nothing
	}
	p := s.it
	p.text.Reset()
	p.Opaque = nil
	p.Retracted, p.Ended = true, true
	p.Epoch++
	return t.touchPart(s)
}
