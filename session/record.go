package session

import "slices"

// Record is a list of events that joins fragments of a part or call into one event with the head of the first, so that it
// does not grow with every delta. Fragments of others may lie between them, so those change places by that, which no
// transcript sees; any other event and another generation keep them apart. The zero value is empty. It is not safe for
// concurrent use and must not be copied.
type Record struct {
	events []Event
	open   []run // of the last events, all fragments of one generation
}

// run is a fragment that may be continued.
type run struct {
	text *growing // all of it, nil while it has one piece
	last Event    // the newest piece
}

// maxOpen is how many fragments are kept open. Those that come in turns are as many as agents that work at once.
const maxOpen = 64

// Add appends e.
func (r *Record) Add(e Event) {
	text, isFragment := Fragment(e)
	n := len(r.events)
	if !isFragment || len(r.open) > 0 && r.events[n-1].Header().Gen != e.Header().Gen {
		r.settle()
	}
	for i := len(r.open) - 1; i >= 0; i-- {
		if first := r.events[n-len(r.open)+i]; continues(first, e) {
			r.open[i].add(first, text, e)
			return
		}
	}
	r.events = append(r.events, e)
	if isFragment {
		if len(r.open) == maxOpen {
			r.events = r.events[:n]
			r.settle()
			r.events = append(r.events, e)
		}
		r.open = append(r.open, run{last: e})
	}
}

// add appends a piece.
func (o *run) add(first Event, text string, e Event) {
	if o.text == nil {
		piece, _ := Fragment(first)
		o.text = &growing{piece: piece}
	}
	o.text.WriteString(text)
	o.last = e
}

// settle stores the collected texts in their events.
func (r *Record) settle() {
	for i, o := range r.open {
		if o.text != nil {
			e := &r.events[len(r.events)-len(r.open)+i]
			*e = WithFragment(*e, o.text.compact())
		}
	}
	clear(r.open)
	r.open = r.open[:0]
}

// first returns the index of the first event that may be continued.
func (r *Record) first() int { return len(r.events) - len(r.open) }

// text returns the text of a fragment so far, false for another event.
func (r *Record) text(at int) (string, bool) {
	if o := at - r.first(); o >= 0 && r.open[o].text != nil {
		return r.open[o].text.String(), true
	}
	return Fragment(r.events[at])
}

// at returns an event with its text so far.
func (r *Record) at(i int) Event {
	if o := i - r.first(); o >= 0 && r.open[o].text != nil {
		return WithFragment(r.events[i], r.open[o].text.String())
	}
	return r.events[i]
}

// rest returns what was added to a fragment since it had a length, nil if nothing was.
func (r *Record) rest(at, had int) Event {
	text, isFragment := r.text(at)
	if !isFragment || len(text) == had {
		return nil
	}
	last := r.events[at]
	if o := at - r.first(); o >= 0 {
		last = r.open[o].last
		if newest, _ := Fragment(last); len(newest) == len(text)-had {
			return last
		}
	}
	return WithFragment(last, text[had:])
}

// All returns all events. The slice is the caller's.
func (r *Record) All() []Event {
	out := slices.Clone(r.events)
	for i := r.first(); i < len(out); i++ {
		out[i] = r.at(i)
	}
	return out
}

// Take returns all events and empties the record.
func (r *Record) Take() []Event {
	out := r.events
	for i := r.first(); i < len(out); i++ {
		out[i] = r.at(i)
	}
	clear(r.open)
	r.events, r.open = nil, r.open[:0]
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
