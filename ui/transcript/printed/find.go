package printed

import "parley/session"

// Running returns the turn that runs, nil if none does.
func (a *Announcer) Running() *session.Turn {
	if n := len(a.Transcript.Turns); n > 0 && a.Transcript.Turns[n-1].Running() {
		return a.Transcript.Turns[n-1]
	}
	return nil
}

func (a *Announcer) findPart(id session.PartID) *session.Part {
	for i := len(a.Transcript.Turns) - 1; i >= 0; i-- {
		for j := len(a.Transcript.Turns[i].Entries) - 1; j >= 0; j-- {
			if p, ok := a.Transcript.Turns[i].Entries[j].(*session.Part); ok && p.ID == id {
				return p
			}
		}
	}
	return nil
}

// asked reports whether an open ask is about a call.
func (a *Announcer) asked(id session.CallID) bool {
	for _, ask := range a.Transcript.Asks {
		if ask.Call == id {
			return true
		}
	}
	return false
}
