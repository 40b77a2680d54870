package copilot

import (
	"bytes"

	"parley/internal/jsonedit"
)

// repeat knows what the last delta looked like on the wire. Of thousands of deltas in a row all but the letters are the
// same; one that begins and ends as the last one did, with a well-formed string in between, needs no further reading: it
// is one event, its data is JSON, and its type is the same. The zero value knows nothing.
type repeat struct {
	head, tail []byte // what stands around the letters, from the first byte of the event to the empty line after it
	data       int    // where in head the data begins
	after      int    // how much of tail belongs to the data
}

// forget knows nothing any more.
func (r *repeat) forget() { r.head = r.head[:0] }

// learn takes an event as it was on the wire, of which data is known to be JSON and ends before the line ends do. Data
// without a string in its inner objects is not learned; the strings of the outer one, the type among them, stay as they are.
func (r *repeat) learn(wire []byte, data span) {
	r.forget()
	letters, ok := lastInnerString(wire[data.start:data.end])
	if !ok {
		return
	}
	from, to := data.start+letters.From+1, data.start+letters.To-1
	r.head = append(r.head, wire[:from]...)
	r.tail = append(r.tail[:0], wire[to+1:]...)
	r.data, r.after = data.start, data.end-to-1
}

// match finds an event at the beginning of a text that looks like the one that was learned: its data, and its length on
// the wire.
func (r *repeat) match(text []byte) (data span, length int, ok bool) {
	if len(r.head) == 0 || !bytes.HasPrefix(text, r.head) {
		return span{}, 0, false
	}
	end := jsonedit.EndOfString(text, len(r.head))
	if end < 0 || !bytes.HasPrefix(text[end:], r.tail) {
		return span{}, 0, false
	}
	return span{r.data, end + r.after}, end + len(r.tail), true
}

// lastInnerString finds, in an object, the last string that is a value below its own members; with its quotes.
func lastInnerString(text []byte) (at jsonedit.Span, ok bool) {
	s := jsonedit.Scan(text)
	for more := s.TopObject(); more; more = s.NextMember() {
		s.Key()
		if s.Kind() == '"' {
			s.Value()
			continue
		}
		findLastString(&s, &at)
	}
	return at, s.End() == nil && at.To > 0
}

// findLastString consumes a value and notes the last string in it.
func findLastString(s *jsonedit.Scanner, at *jsonedit.Span) {
	switch s.Kind() {
	case '"':
		*at = s.Value()
	case '{':
		for ok := s.Object(); ok; ok = s.NextMember() {
			s.Key()
			findLastString(s, at)
		}
	case '[':
		for ok := s.Array(); ok; ok = s.NextElement() {
			findLastString(s, at)
		}
	default:
		s.Value()
	}
}
