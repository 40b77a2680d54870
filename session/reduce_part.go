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
	t.clearRetry(s.at.turn)
	return s
}

// touchPart raises the revisions of a changed part and of the children around it.
func (t *Transcript) touchPart(s *spot[*Part]) Change {
	s.it.rev++
	t.index.bump(s.at.child)
	t.clearRetry(s.at.turn)
	return touched(s.at)
}

// changePart applies a change to a known part, and reports what it touched if there was a change.
func (t *Transcript) changePart(id PartID, change func(*Part) bool) Change {
	s := t.index.parts[id]
	if s == nil || !change(s.it) {
		return nothing
	}
	return t.touchPart(s)
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
		s.it.text.extend(e.Text, e.whole)
		return touched(s.at)
	}
	if !s.it.add(e) {
		return nothing
	}
	return t.touchPart(s)
}

func (t *Transcript) partReplaced(e PartReplaced) Change {
	s := t.index.parts[e.Part]
	if s == nil {
		s = t.addPart(e.Head, e.Part, e.Kind, true)
	}
	if !s.it.replace(e) {
		return nothing
	}
	s.announced = true
	return t.touchPart(s)
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
