package live

import (
	"slices"

	"parley/session"
)

// readMark is how far a journal was read, to find what other processes added since.
type readMark struct {
	// events is how many there were before the notices at the end; -1 if there is no journal, or it is ours.
	events int
	// notices are the texts of those at the end. Some are made at every reading, such as those about damage, and are always
	// the last.
	notices []string
	// text is how long the last of the events was, if it is a fragment, which grows.
	text int
	// gen is the newest generation that speaks in the journal, also where the agent's own transcript took its place.
	gen session.Generation
}

func markOf(events []session.Event) readMark {
	m := readMark{events: len(events)}
	for _, e := range events {
		m.gen = max(m.gen, e.Header().Gen)
	}
	for m.events > 0 {
		n, ok := events[m.events-1].(session.Notice)
		if !ok {
			break
		}
		m.notices = append(m.notices, n.Text)
		m.events--
	}
	if m.events > 0 {
		text, _ := session.Fragment(events[m.events-1])
		m.text = len(text)
	}
	return m
}

// added returns what is new among the events of the journal.
func (m readMark) added(events []session.Event) []session.Event {
	if m.events < 0 || len(events) < m.events {
		return nil
	}
	rest := slices.Clone(events[m.events:])
	if m.events > 0 { // what was being written is read as one
		if text, ok := session.Fragment(events[m.events-1]); ok && len(text) > m.text {
			rest = slices.Insert(rest, 0, session.WithFragment(events[m.events-1], text[m.text:]))
		}
	}
	return slices.DeleteFunc(rest, func(e session.Event) bool {
		n, ok := e.(session.Notice)
		return ok && slices.Contains(m.notices, n.Text)
	})
}

// catchUp publishes what another process added to the journal since it was read. What this process has not written yet
// comes after it, so that the newer choice holds, and gets a generation with which it counts.
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
	st.journal.raise(st.gen)
	for _, e := range st.journal.unwritten() {
		switch e.(type) {
		case session.ModelChanged, session.ModeChanged, session.TitleChanged:
			st.follow(e)
			st.announce(e)
		}
	}
}

// follow takes over into the state what another process recorded.
func (st *state) follow(e session.Event) {
	st.gen = max(st.gen, e.Header().Gen)
	switch e := e.(type) {
	case session.TurnStarted:
		if !st.turns.known(e.Turn) {
			st.turns[e.Turn] = false
		}
		st.queue.forgetHeld(e.Prompt.ID)
	case session.Unqueued:
		st.queue.forgetHeld(e.Prompt)
	case session.Steered:
		st.queue.forgetHeld(e.Prompt)
	case session.Requeued:
		if at := st.queue.index(e.Prompt); at >= 0 && st.queue.items[at].held {
			st.queue.moveBefore(at, e.Before)
		}
	case session.ModelChanged:
		st.settings.Model, st.settings.Effort = e.Model, e.Effort
	case session.ModeChanged:
		st.settings.Mode = e.Mode
	case session.TitleChanged:
		st.meta.Title = e.Title
	}
}

// withGen returns an event that a session publishes itself, or holds back, with another generation; any other as it is.
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
	case session.TitleChanged:
		e.Gen = gen
		return e
	case session.Notice:
		e.Gen = gen
		return e
	}
	return e
}
