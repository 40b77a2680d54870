package session

func (t *Transcript) turnStarted(e TurnStarted) Change {
	if e.Turn == "" {
		return nothing
	}
	_, waited := t.Queue.remove(e.Prompt.ID)
	s := t.index.turns[e.Turn]
	if s == nil {
		at := t.addTurn(&Turn{ID: e.Turn, Prompt: e.Prompt, Origin: e.Origin, Because: e.Because, Call: e.Call, Started: e.At}, true)
		return Change{Turn: at, Entry: -1, Meta: waited}
	}
	if s.announced {
		if waited {
			return onMeta
		}
		return nothing
	}
	s.announced = true
	turn := t.Turns[s.at]
	turn.Prompt, turn.Origin, turn.Started = e.Prompt, e.Origin, e.At
	turn.Because, turn.Call = e.Because, e.Call
	turn.Revision++
	return Change{Turn: s.at, Entry: -1, Meta: waited}
}

func (t *Transcript) turnEnded(e TurnEnded) Change {
	if e.Turn == "" {
		return nothing
	}
	at := t.turn(e.Head)
	turn := t.Turns[at]
	if turn.Outcome != "" && (turn.Outcome != TurnElsewhere || e.Outcome == TurnElsewhere) {
		return nothing
	}
	turn.Outcome = e.Outcome
	if turn.Outcome == "" {
		turn.Outcome = TurnCompleted
	}
	turn.Problem, turn.Duration, turn.Retry = e.Problem, e.Duration, nil
	turn.Revision++
	broken := turn.Outcome == TurnCancelled || turn.Outcome == TurnFailed
	closeEntries(turn.Entries, broken)
	turn.work.drop(open, Work.ended)
	return onlyIn(at)
}

// closeEntries ends the entries of an ended turn. Children stay open unless the turn was cancelled or failed, and always in
// the background.
func closeEntries(entries []Entry, broken bool) {
	for _, e := range entries {
		switch e := e.(type) {
		case *Part:
			if !e.Ended {
				e.Ended = true
				e.rev++
			}
		case *Tool:
			if broken && !e.Ended {
				e.Ended, e.Outcome = true, ToolCancelled
				e.rev++
				e.closed = true
			}
		case *Child:
			if !broken || e.Background || e.Ended {
				continue
			}
			closeEntries(e.Entries, broken)
			e.Ended, e.Outcome = true, TurnCancelled
			e.rev++
			e.closed = true
		}
	}
}

func (t *Transcript) retryScheduled(e RetryScheduled) Change {
	at := t.turn(e.Head)
	t.Turns[at].Retry = &e
	t.Turns[at].Revision++
	return onlyIn(at)
}

// counted returns the turn of a count, -1 if it counts only for the session.
func (t *Transcript) counted(h Head) int {
	if h.Turn != "" {
		return t.turn(h)
	}
	if n := len(t.Turns); n > 0 && t.Turns[n-1].Running() {
		return n - 1
	}
	return -1
}

func (t *Transcript) usageReported(e UsageReported) Change {
	t.Usage = t.Usage.Add(e.Usage)
	at := t.counted(e.Head)
	if at >= 0 {
		turn := t.Turns[at]
		turn.Usage = turn.Usage.Add(e.Usage)
		if e.Model != "" && e.Child == "" {
			turn.Model = e.Model
		}
		turn.Revision++
	}
	return Change{Turn: at, Entry: -1, Meta: true}
}

func (t *Transcript) creditsReported(e CreditsReported) Change {
	t.NanoAIU += e.NanoAIU
	at := t.counted(e.Head)
	if at >= 0 {
		t.Turns[at].NanoAIU += e.NanoAIU
		t.Turns[at].Revision++
	}
	return Change{Turn: at, Entry: -1, Meta: true}
}
