package session

import (
	"slices"
	"strings"
)

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

// maxOpen is the number of fragments that are kept open. Those that come in turns are as many as agents that work at once.
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
	o.text.extend(text, wholeOf(e))
	o.last = e
}

// settle stores the collected texts in their events: one that others share as it is, others without unused memory.
func (r *Record) settle() {
	for i, o := range r.open {
		at := r.first() + i
		text, _ := r.text(at)
		switch whole := wholeOf(o.last); {
		case len(whole) > len(text): // it would hold all of it in memory
			text = strings.Clone(text)
		case whole != "":
		case o.text != nil:
			text = o.text.compact()
		default:
			continue
		}
		r.events[at] = WithFragment(r.events[at], text)
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
		return within(WithFragment(r.events[i], r.open[o].text.String()), wholeOf(r.open[o].last))
	}
	return r.events[i]
}

// rest returns what was added to a fragment since it had a length, nil if nothing was.
func (r *Record) rest(at, had int) Event {
	text, isFragment := r.text(at)
	if !isFragment || len(text) == had {
		return nil
	}
	i := at - r.first()
	if i < 0 {
		return within(WithFragment(r.events[at], text[had:]), text)
	}
	o := &r.open[i]
	if wholeOf(o.last) == "" {
		o.last = within(o.last, text)
	}
	if newest, _ := Fragment(o.last); len(newest) == len(text)-had {
		return o.last
	}
	return within(WithFragment(o.last, text[had:]), wholeOf(o.last))
}

// wholeOf returns the text in which that of a delta lies, "" if it is not known.
func wholeOf(e Event) string {
	if e, ok := e.(PartDelta); ok {
		return e.whole
	}
	return ""
}

// within returns a delta with its text at the end of whole; unchanged if it is not there, and any other event.
func within(e Event, whole string) Event {
	if e, ok := e.(PartDelta); ok && whole != "" && strings.HasSuffix(whole, e.Text) {
		e.Text, e.whole = whole[len(whole)-len(e.Text):], whole
		return e
	}
	return e
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
		e.Text, e.whole = text, ""
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

// ShareText returns an event that was just applied to a transcript so that whoever applies a delta as well has its text from
// there: a text that several follow is in memory once.
func ShareText(t *Transcript, e Event) Event {
	if d, ok := e.(PartDelta); ok {
		if s := t.index.parts[d.Part]; s != nil {
			return within(e, s.it.Text())
		}
	}
	return e
}
