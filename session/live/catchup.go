package live

import (
	"parley/session"
	"slices"
)

// readMark says how far a journal was read, to notice what others added to it since.
type readMark struct {
	// events is how many there were before the notices at the end; -1 if there is no journal, or it is ours.
	events int
	// notices are the texts of those at the end. Some are made up anew at every reading, such as those about damage, and
	// are always the last.
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

// catchUp shows what another process added to the journal since it was read. What this process has not written yet comes
// after it, so that the newer choice holds, and gets a generation with which it counts. The lock is held.
func (s *Session) catchUp(events []session.Event) {
	if len(events) == 0 {
		return
	}
	mode := s.settings.Mode
	for _, e := range events {
		s.note(e)
		s.show(e)
		s.touch(e)
	}
	if mode != session.ModeBypass {
		s.endBypass(mode)
	}
	for i, w := range s.unwritten {
		if w.event == nil {
			continue
		}
		if h := w.event.Header(); h.Gen < s.gen {
			w.event = withGen(w.event, s.gen)
			s.unwritten[i] = w
		}
		switch w.event.(type) {
		case session.ModelChanged, session.ModeChanged, session.TitleChanged:
			s.note(w.event)
			s.show(w.event)
		}
	}
}

// note takes over into the session's state what another process recorded. The lock is held.
func (s *Session) note(e session.Event) {
	s.gen = max(s.gen, e.Header().Gen)
	switch e := e.(type) {
	case session.TurnStarted:
		if _, known := s.turns[e.Turn]; !known {
			s.turns[e.Turn] = false
		}
		s.letGo(e.Prompt.ID)
	case session.Unqueued:
		s.letGo(e.Prompt)
	case session.Steered:
		s.letGo(e.Prompt)
	case session.Requeued:
		if at := s.place(e.Prompt); at >= 0 && s.queue[at].held {
			s.putBefore(at, e.Before)
		}
	case session.ModelChanged:
		s.settings.Model, s.settings.Effort = e.Model, e.Effort
	case session.ModeChanged:
		s.settings.Mode = e.Mode
	case session.TitleChanged:
		s.meta.Title = e.Title
	}
}

// letGo forgets a prompt left over by one process that another has delivered or taken back. The lock is held.
func (s *Session) letGo(id session.PromptID) {
	s.queue = slices.DeleteFunc(s.queue, func(it *item) bool { return it.held && it.prompt.ID == id })
}

// withGen returns an event that a session says itself, or keeps back, with another generation; any other as it is.
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
