package copilot

import (
	"bytes"

	"parley/internal/jsonedit"
)

// repeat recognizes a delta that differs from the last one only in its text. If an event begins and ends like the last
// one, with a well-formed string in between, it is one event, its data is JSON, and its type is the same, without
// further reading. The zero value recognizes nothing.
type repeat struct {
	head, tail []byte // the bytes around the text, from the first byte of the event to the empty line after it
	data       int    // where in head the data begins
	after      int    // how many bytes of tail belong to the data
}

// forget clears the learned event.
func (r *repeat) forget() { r.head = r.head[:0] }

// learn records an event as sent on the wire, whose data is valid JSON that ends before the line ends do. It ignores
// data without a string in its inner objects; the strings of the outer one, including the type, are part of the
// pattern.
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

// match finds an event that looks like the learned one at the beginning of a text. It returns its data and its length
// on the wire.
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

// lastInnerString returns the last string, with its quotes, that is a value in an inner object.
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

// findLastString consumes a value and records the last string in it.
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
