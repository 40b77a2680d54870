package live

import "parley/session"

// catchUp publishes what another process added to the journal since it was read. Unwritten events of this process come after
// that, with a newer generation, so that the newer choice holds.
func (st *state) catchUp(events []session.Event) {
	if len(events) == 0 {
		return
	}
	mode := st.settings.Mode
	for _, e := range events {
		st.follow(e)
		st.announce(e)
		st.touch(e)
	}
	if mode != session.ModeBypass {
		st.endBypass(mode)
	}
	st.journal.Change(func(e session.Event) session.Event {
		if e.Header().Gen < st.gen {
			return withGen(e, st.gen)
		}
		return e
	})
	for _, e := range st.journal.Unwritten() {
		switch e.(type) {
		case session.ModelChanged, session.ModeChanged, session.CustomChanged, session.DirsChanged, session.TitleChanged:
			st.follow(e)
			st.announce(e)
		}
	}
}

// follow applies an event of another process to the state.
func (st *state) follow(e session.Event) {
	st.gen = max(st.gen, e.Header().Gen)
	switch e := e.(type) {
	case session.TurnStarted:
		if !st.turns.known(e.Turn) {
			st.turns[e.Turn] = false
		}
		st.queue.ForgetHeld(e.Prompt.ID)
	case session.Unqueued:
		st.queue.ForgetHeld(e.Prompt)
	case session.Steered:
		st.queue.ForgetHeld(e.Prompt)
	case session.Requeued:
		if at := st.queue.Index(e.Prompt); at >= 0 && st.queue.Items[at].Held {
			st.queue.MoveBefore(at, e.Before)
		}
	case session.ModelChanged, session.ModeChanged, session.CustomChanged, session.DirsChanged:
		after, _ := st.settings.After(e)
		st.set(after)
	case session.TitleChanged:
		st.meta.Title = e.Title
	}
}

// withGen returns an event that sessions publish themselves with another generation, any other unchanged.
func withGen(e session.Event, gen session.Generation) session.Event {
	switch e := e.(type) {
	case session.TurnStarted:
		e.Gen = gen
		return e
	case session.TurnEnded:
		e.Gen = gen
		return e
	case session.Asked:
		e.Gen = gen
		return e
	case session.Settled:
		e.Gen = gen
		return e
	case session.ChildEnded:
		e.Gen = gen
		return e
	case session.Queued:
		e.Gen = gen
		return e
	case session.Unqueued:
		e.Gen = gen
		return e
	case session.Requeued:
		e.Gen = gen
		return e
	case session.ModelChanged:
		e.Gen = gen
		return e
	case session.ModeChanged:
		e.Gen = gen
		return e
	case session.CustomChanged:
		e.Gen = gen
		return e
	case session.DirsChanged:
		e.Gen = gen
		return e
	case session.TitleChanged:
		e.Gen = gen
		return e
	case session.FilesChanged:
		e.Gen = gen
		return e
	case session.Notice:
		e.Gen = gen
		return e
	}
	return e
}
