package live

import "parley/session"

// turns holds all turns so far, true while one runs. The session's lock guards it.
type turns map[session.TurnID]bool

// known reports whether the turn has begun.
func (t turns) known(id session.TurnID) bool {
	_, known := t[id]
	return known
}

// running reports whether any turn runs.
func (t turns) running() bool {
	for _, running := range t {
		if running {
			return true
		}
	}
	return false
}

// beginTurn opens a turn that the agent reports, unless the session opened it to publish and store its prompt.
func (st *state) beginTurn(e session.TurnStarted) {
	if e.Turn == "" || st.turns.known(e.Turn) {
		return
	}
	st.queue.Take(e.Prompt.ID)
	st.turns[e.Turn] = true
	st.publish(e)
}

// endTurn closes a turn, once, with its open asks. After a completed turn a child in the background may still ask.
func (st *state) endTurn(e session.TurnEnded) {
	if !st.turns[e.Turn] {
		return
	}
	if st.capped != nil && (e.Outcome == session.TurnCancelled || e.Outcome == session.TurnFailed) {
		e.Outcome, e.Problem = session.TurnLimit, st.capped
	} else if st.capped != nil && e.Outcome == session.TurnCompleted {
		st.publish(st.notice(session.Warning, st.capped.What+" "+st.capped.Next))
	}
	broken := e.Outcome == session.TurnCancelled || e.Outcome == session.TurnFailed
	why := session.WhyTurnEnded
	if e.Outcome == session.TurnCancelled {
		why = session.WhyInterrupted
	}
	for _, a := range st.asks.sorted() {
		if a.asked.Turn == e.Turn && (broken || a.asked.Child == "") {
			st.cancelAsk(a, why)
		}
	}
	st.turns[e.Turn] = false
	if it := st.queue.Current; it != nil && it.Turn == e.Turn {
		it.Ended = e
	}
	if e.Outcome == session.TurnElsewhere {
		st.announce(e) // it goes on at a service, which will know its end
	} else {
		st.publish(e)
	}
	st.wake()
}

// cancelAll ends all turns and asks of a conversation that has ended.
func (st *state) cancelAll() {
	st.gen++
	for turn, running := range st.turns {
		if running {
			st.endTurn(session.TurnEnded{Head: st.head(turn), Outcome: session.TurnCancelled})
		}
	}
	for _, a := range st.asks.sorted() {
		st.cancelAsk(a, session.WhyAgentEnded)
	}
	st.endWork(session.WhyWithAgent)
	st.queue.StopSteering()
}
