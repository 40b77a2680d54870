package session

import "slices"

// Record is a list of events that joins adjacent fragments of a part or call into one event with the head of the first,
// so that it does not grow with every delta. The zero value is empty. It is not safe for concurrent use and must not be
// copied.
type Record struct {
	events []Event
	// tail collects the text of the last event if it is a fragment.
	tail growing
	open bool // the last event is a fragment
}

// Add appends e.
func (r *Record) Add(e Event) {
	text, isFragment := Fragment(e)
	if isFragment && r.open && continues(r.events[len(r.events)-1], e) {
		r.tail.WriteString(text)
		return
	}
	r.settle()
	r.events = append(r.events, e)
	if isFragment {
		r.open = true
		r.tail.WriteString(text)
	}
}

// settle stores the collected text in the last event.
func (r *Record) settle() {
	if r.tail.joined() {
		last := &r.events[len(r.events)-1]
		*last = WithFragment(*last, r.tail.compact())
	}
	r.tail.Reset()
	r.open = false
}

// All returns all events. The slice is the caller's.
func (r *Record) All() []Event {
	out := slices.Clone(r.events)
	if r.open {
		last := &out[len(out)-1]
		*last = WithFragment(*last, r.tail.String())
	}
	return out
}

// Take returns all events and empties the record.
func (r *Record) Take() []Event {
	r.settle()
	out := r.events
	r.events = nil
	return out
}

// Fragment returns the text of an event that carries a fragment: a delta, tool input or live output.
func Fragment(e Event) (string, bool) {
	switch e := e.(type) {
	case PartDelta:
		return e.Text, true
	case ToolInput:
		return e.Fragment, true
	case ToolOutput:
		return e.Text, true
	}
	return "", false
}

// WithFragment returns an event that carries a fragment with another text.
func WithFragment(e Event, text string) Event {
	switch e := e.(type) {
	case PartDelta:
		e.Text = text
		return e
	case ToolInput:
		e.Fragment = text
		return e
	case ToolOutput:
		e.Text = text
		return e
	}
	return e
}

// continues reports whether b is the next fragment of the part or call of a.
func continues(a, b Event) bool {
	ha, hb := a.Header(), b.Header()
	if ha.Turn != hb.Turn || ha.Child != hb.Child || ha.Gen != hb.Gen || ha.Session != hb.Session {
		return false
	}
	switch b := b.(type) {
	case PartDelta:
		a, ok := a.(PartDelta)
		return ok && a.Part == b.Part
	case ToolInput:
		a, ok := a.(ToolInput)
		return ok && a.Call == b.Call
	case ToolOutput:
		a, ok := a.(ToolOutput)
		return ok && a.Call == b.Call
	}
	return false
}
