package session

import "slices"

// Record is the history of a session. Adjacent fragments of the same part or call are kept as one, so that it does not
// grow with every delta. Its zero value is empty. It is not safe for concurrent use.
type Record struct {
	events []Event
	// tail collects the text of the last event if that is a fragment, nil otherwise.
	tail *growing
}

// Add appends e.
func (r *Record) Add(e Event) {
	text, isFragment := Fragment(e)
	if isFragment && r.tail != nil && continues(r.events[len(r.events)-1], e) {
		r.tail.WriteString(text)
		return
	}
	r.settle()
	r.events = append(r.events, e)
	if isFragment {
		r.tail = &growing{}
		r.tail.WriteString(text)
	}
}

// settle puts the collected text into the last event.
func (r *Record) settle() {
	if r.tail == nil {
		return
	}
	if r.tail.joined() {
		last := &r.events[len(r.events)-1]
		*last = WithFragment(*last, r.tail.String())
	}
	r.tail = nil
}

// All returns the whole history. The slice is the caller's.
func (r *Record) All() []Event {
	out := slices.Clone(r.events)
	if r.tail != nil {
		last := &out[len(out)-1]
		*last = WithFragment(*last, r.tail.String())
	}
	return out
}

// Fragment returns the text of an event that carries one of many fragments: a delta, tool input, live output.
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

// WithFragment returns the event with another text, if it carries a fragment.
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

// continues reports whether b goes on where a stopped.
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
