package history

import "parley/session"

// autonomous returns the turns of a journal that the agent began by itself. The transcript has them under other ids.
func autonomous(journal []session.Event) map[session.TurnID]bool {
	out := map[session.TurnID]bool{}
	for _, e := range journal {
		if s, ok := e.(session.TurnStarted); ok && s.Origin == session.OriginAutonomous {
			out[s.Turn] = true
		}
	}
	return out
}

// turn returns the turn for an event of a journaled turn: none for an autonomous one that the transcript has under another
// id, because it would never end. Its costs count for the turn that runs at the time.
func (o *overlay) turn(id session.TurnID, own map[session.TurnID]bool) session.TurnID {
	if own[id] && o.turns[id] == nil {
		return ""
	}
	return id
}

// leftOpen returns the newest turn of both if the journal lacks its end, otherwise "".
func leftOpen(truth, journal []session.Event) session.TurnID {
	id, ended := newestTurn(journal)
	if same, _ := newestTurn(truth); ended || id != same {
		return ""
	}
	return id
}

// newestTurn returns the turn that began last, and whether the events have its end.
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
