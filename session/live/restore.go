package live

import (
	"fmt"
	"slices"

	"parley/session"
)

// restore fills a new session with its events and returns their transcript. It holds back asks and waiting prompts of another
// process that has the session.
func (sto *storage) restore(events []session.Event) *session.Transcript {
	t := session.Fold(events)
	sto.state.journal.Pass(func() {
		for _, e := range events {
			if sto.elsewhere && openIn(t, e) {
				sto.hidden = append(sto.hidden, e)
				continue
			}
			sto.state.account.Note(e)
			sto.state.feed.Add(e)
		}
	})
	sto.state.restore(t)
	return t
}

// restore sets the state to that of a session when it was read.
func (st *state) restore(t *session.Transcript) {
	st.gen = t.Gen
	st.set(t.Settings)
	if t.Title != "" {
		st.meta.Title = t.Title
	}
	for _, turn := range t.Turns {
		if turn.ID == "" {
			continue
		}
		st.turns[turn.ID] = false
		if st.meta.First == "" {
			st.meta.First = session.Subject(turn.Prompt.Text)
		}
	}
}

// openIn reports whether e is an open ask, or a prompt that still waits.
func openIn(t *session.Transcript, e session.Event) bool {
	switch e := e.(type) {
	case session.Asked:
		return slices.ContainsFunc(t.Asks, func(a *session.Ask) bool { return a.Ask == e.Ask })
	case session.Queued:
		return slices.ContainsFunc(t.Queue, func(p session.Prompt) bool { return p.ID == e.Prompt.ID })
	}
	return false
}

// leaveOpen announces that the turns that run go on in another process. It closes nothing and writes no journal.
func (st *state) leaveOpen(t *session.Transcript, pid int) {
	by := "another window"
	if pid > 0 {
		by = fmt.Sprintf("another window (pid %d)", pid)
	}
	for _, turn := range t.Turns {
		if turn.Running() {
			st.announce(session.TurnEnded{Head: st.head(turn.ID), Outcome: session.TurnElsewhere,
				Problem: &session.Problem{Kind: session.KindLocked, What: "This turn goes on in " + by + "."}})
		}
	}
}

// closeLeftovers settles the asks, ends the turns and holds the prompts of a process that died. Those of this process
// continue, and so do those at a service. The caller holds the lock, or has the only reference.
func (st *state) closeLeftovers(t *session.Transcript, remote bool) {
	for _, a := range t.Asks {
		if st.asks.open[a.Ask] == nil {
			st.publish(session.Settled{Head: st.headLike(a.Head), Ask: a.Ask, How: session.SettledCancelled, Why: session.WhyLeftOpen})
		}
	}
	if remote {
		st.holdLeftovers(t.Queue)
		return
	}
	for _, turn := range t.Turns {
		if !st.turns[turn.ID] {
			st.endChildren(turn.ID, turn.Entries)
		}
	}
	for _, w := range t.Background() {
		if w.Tool != nil {
			h := st.head("")
			h.Child = w.Tool.Child
			st.publish(session.ToolEnded{Head: h, Call: w.Tool.Call, Outcome: session.ToolCancelled,
				Result: session.ToolResult{Summary: session.WhyWithParley}})
		}
	}
	cut := 0
	for _, turn := range t.Turns {
		if (turn.Running() || turn.Outcome == session.TurnElsewhere) && !st.turns[turn.ID] {
			st.publish(session.TurnEnded{Head: st.head(turn.ID), Outcome: session.TurnCancelled})
			cut++
		}
	}
	if cut > 0 {
		st.publish(st.notice(session.Info,
			"parley ended in the middle of this turn. Send a prompt to go on."))
	}
	st.holdLeftovers(t.Queue)
}

// holdLeftovers holds the prompts of an ended process, in their order and before later ones. The notice is not journaled: it
// would accumulate.
func (st *state) holdLeftovers(queue []session.Prompt) {
	n := 0
	for _, p := range queue {
		if st.queue.Keep(p) {
			n++
		}
	}
	switch {
	case n == 1:
		st.announce(st.notice(session.Info,
			"A prompt was waiting when parley ended. It still waits and is not sent until you say so."))
	case n > 1:
		st.announce(st.notice(session.Info,
			fmt.Sprintf("%d prompts were waiting when parley ended. They still wait and are not sent until you say so.", n)))
	}
}

// endChildren ends the running children, inner ones first.
func (st *state) endChildren(turn session.TurnID, entries []session.Entry) {
	for _, e := range entries {
		c, ok := e.(*session.Child)
		if !ok {
			continue
		}
		st.endChildren(turn, c.Entries)
		if !c.Ended {
			h := st.head(turn)
			h.Child = c.Parent
			st.publish(session.ChildEnded{Head: h, ID: c.ID, Outcome: session.TurnCancelled, Summary: session.WhyWithParley})
		}
	}
}
