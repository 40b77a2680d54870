package live

import "parley/session"

// autonomous are the turns of the journal that the agent began by itself. The transcript has them under other ids.
func autonomous(journal []session.Event) map[session.TurnID]bool {
	out := map[session.TurnID]bool{}
	for _, e := range journal {
		if s, ok := e.(session.TurnStarted); ok && s.Origin == session.OriginAutonomous {
			out[s.Turn] = true
		}
	}
	return out
}

// turn returns the turn to name for what is kept of a journaled turn: none for one of the agent's own that the transcript
// has under another id, which nothing would ever end. What it cost then counts for the turn that runs at that moment.
func (o *overlay) turn(id session.TurnID, own map[session.TurnID]bool) session.TurnID {
	if own[id] && o.turns[id] == nil {
		return ""
	}
	return id
}

// leftOpen returns the turn that is the newest of both and has no end in the journal, empty if there is none.
func leftOpen(truth, journal []session.Event) session.TurnID {
	id, ended := newestTurn(journal)
	if same, _ := newestTurn(truth); ended || id != same {
		return ""
	}
	return id
}

// newestTurn returns the turn that began last, and whether events has its end.
func newestTurn(events []session.Event) (id session.TurnID, ended bool) {
	for _, e := range events {
		switch e := e.(type) {
		case session.TurnStarted:
			id, ended = e.Turn, false
		case session.TurnEnded:
			ended = ended || e.Turn == id
		}
	}
	return id, ended
}
