package live

import "parley/session"

// turns are all turns that ever began; true while one runs. The session's lock guards them.
type turns map[session.TurnID]bool

// known reports whether the turn ever began.
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

// beginTurn opens a turn that the agent began. A turn that the session opened itself, to publish and store the prompt at
// once, is not opened again.
func (st *state) beginTurn(e session.TurnStarted) {
	if e.Turn == "" || st.turns.known(e.Turn) {
		return
	}
	st.queue.take(e.Prompt.ID)
	st.turns[e.Turn] = true
	st.publish(e)
}

// endTurn closes a turn, once, with all asks that are still open in it. A child in the background may go on asking after
// a turn that ended well.
func (st *state) endTurn(e session.TurnEnded) {
	if !st.turns[e.Turn] {
		return
	}
	broken := e.Outcome == session.TurnCancelled || e.Outcome == session.TurnFailed
	for _, a := range st.asks.sorted() {
		if a.asked.Turn == e.Turn && (broken || a.asked.Child == "") {
			st.cancelAsk(a)
		}
	}
	st.turns[e.Turn] = false
	if it := st.queue.current; it != nil && it.turn == e.Turn {
		it.ended = e
	}
	st.publish(e)
	st.wake()
}

// cancelAll ends every turn and every ask of a conversation that is gone.
func (st *state) cancelAll() {
	st.gen++
	for turn, running := range st.turns {
		if running {
			st.endTurn(session.TurnEnded{Head: st.head(turn), Outcome: session.TurnCancelled})
		}
	}
	for _, a := range st.asks.sorted() {
		st.cancelAsk(a)
	}
	st.queue.stopSteering()
}
