package history

import (
	"slices"

	"parley/session"
)

// ReadMark is the position up to which a journal was read, to find what other processes add.
type ReadMark struct {
	// Events counts the events before the notices at the end; -1 without a journal, or if it is ours.
	Events int
	// notices are the texts of the notices at the end. Each reading makes some again, such as those about damage.
	notices []string
	// texts are the lengths of the last events before the notices as far as they are fragments, which may grow.
	texts []int
	// Gen is the newest generation in the journal, even if the agent's transcript replaced its events.
	Gen session.Generation
}

// ReadMarkOf returns the mark at the end of events.
func ReadMarkOf(events []session.Event) ReadMark {
	m := ReadMark{Events: len(events)}
	for _, e := range events {
		m.Gen = max(m.Gen, e.Header().Gen)
	}
	for m.Events > 0 {
		n, ok := events[m.Events-1].(session.Notice)
		if !ok {
			break
		}
		m.notices = append(m.notices, n.Text)
		m.Events--
	}
	for at := m.Events - 1; at >= 0; at-- {
		text, ok := session.Fragment(events[at])
		if !ok {
			break
		}
		m.texts = append(m.texts, len(text))
	}
	slices.Reverse(m.texts)
	return m
}

// Added returns the new events of the journal.
func (m ReadMark) Added(events []session.Event) []session.Event {
	if m.Events < 0 || len(events) < m.Events {
		return nil
	}
	var rest []session.Event
	for i, n := range m.texts { // a fragment and its rest are one event
		e := events[m.Events-len(m.texts)+i]
		if text, ok := session.Fragment(e); ok && len(text) > n {
			rest = append(rest, session.WithFragment(e, text[n:]))
		}
	}
	rest = append(rest, events[m.Events:]...)
	return slices.DeleteFunc(rest, func(e session.Event) bool {
		n, ok := e.(session.Notice)
		return ok && slices.Contains(m.notices, n.Text)
	})
}
