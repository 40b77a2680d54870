package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Decoder decodes events as [DecodeEvent] does. Successive events with the same session, turn, child, part or call
// share the memory of that id, which would otherwise be most of the memory of a long session. The zero value is ready.
// It is not safe for concurrent use.
type Decoder struct {
	session ID
	turn    TurnID
	child   ChildID
	part    PartID
	call    CallID
	body    []byte // the rest of the event being read, after its head
}

// DecodeEvent decodes the output of [EncodeEvent], ignoring unknown fields. Errors are of kind [KindCorrupt]; the error
// for an unknown type wraps an [*UnknownEventError]. It is safe for concurrent use.
func DecodeEvent(data []byte) (Event, error) { return new(Decoder).Decode(data) }

// Decode decodes one event, with the errors of [DecodeEvent]. The event does not refer to data.
func (d *Decoder) Decode(data []byte) (Event, error) {
	fail := func(err error) (Event, error) {
		return nil, &Error{Op: "decode event", Kind: KindCorrupt, Err: err}
	}
	c, ok := codecAtOnce(data)
	if ok {
		if h, body, ok := d.head(data[len(typeFirst)+len(c.name)+1:]); ok {
			return d.finish(c, h, body)
		}
		return d.finish(c, Head{}, data)
	}
	var head struct {
		Type *string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fail(err)
	}
	if head.Type == nil {
		return fail(errors.New("no type"))
	}
	if c, ok = codecsByName[*head.Type]; !ok {
		return fail(&UnknownEventError{Type: *head.Type})
	}
	return d.finish(c, Head{}, data)
}

// finish decodes the fields in body, which take precedence over those of the head that was read before.
func (d *Decoder) finish(c codec, h Head, body []byte) (Event, error) {
	e, err := c.decode(d, h, body)
	if err != nil {
		return nil, &Error{Op: "decode event", Kind: KindCorrupt, Err: fmt.Errorf("%s: %w", c.name, err)}
	}
	return e, nil
}

// head reads an event's head, in the order in which [EncodeEvent] writes it, from the bytes after the type. It returns
// an object of the other fields, valid until the next call, and false for any unusual input, which encoding/json then
// decodes.
func (d *Decoder) head(rest []byte) (Head, []byte, bool) {
	var h Head
	ok := true
	if value, after, is := plainField(rest, `,"session":"`); is {
		h.Session, rest = again(&d.session, value), after
	}
	if value, after, is := plainField(rest, `,"turn":"`); is {
		h.Turn, rest = again(&d.turn, value), after
	}
	if value, after, is := plainField(rest, `,"child":"`); is {
		h.Child, rest = again(&d.child, value), after
	}
	if after, is := bytes.CutPrefix(rest, []byte(`,"gen":`)); is {
		if h.Gen, rest, ok = plainNumber(after); !ok {
			return Head{}, nil, false
		}
	}
	if value, after, is := plainField(rest, `,"at":"`); is {
		if h.At.UnmarshalText(value) != nil {
			return Head{}, nil, false
		}
		rest = after
	}
	switch {
	case bytes.HasPrefix(rest, []byte(`,"`)): // a comma has to be followed by a field
		d.body = append(append(d.body[:0], '{'), rest[1:]...)
	case len(rest) > 0 && rest[0] == '}':
		d.body = append(append(d.body[:0], '{'), rest...)
	default:
		return Head{}, nil, false
	}
	return h, d.body, true
}

// plainField cuts off a field whose value is a string without escapes.
func plainField(data []byte, name string) (value, rest []byte, ok bool) {
	data, ok = bytes.CutPrefix(data, []byte(name))
	if !ok {
		return nil, nil, false
	}
	for i, c := range data {
		switch {
		case c == '"':
			return data[:i], data[i+1:], true
		case c < ' ' || c >= 0x80 || c == '\\':
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// plainNumber cuts off a generation.
func plainNumber(data []byte) (Generation, []byte, bool) {
	n := 0
	for n < len(data) && data[n] >= '0' && data[n] <= '9' {
		n++
	}
	if n == 0 || n > 1 && data[0] == '0' || n == len(data) || data[n] != ',' && data[n] != '}' {
		return 0, nil, false // empty, with a leading zero, or with a fraction
	}
	gen, err := strconv.ParseUint(string(data[:n]), 10, 64)
	return Generation(gen), data[n:], err == nil
}

// again returns the string that value spells, reusing the last one if it is equal.
func again[S ~string](last *S, value []byte) S {
	if string(value) != string(*last) {
		*last = S(value)
	}
	return *last
}

// share replaces the ids of an event by the equal ids of the previous one.
func (d *Decoder) share(e any) {
	switch e := e.(type) {
	case *TurnStarted:
		if string(e.Prompt.ID) == string(e.Turn) {
			e.Prompt.ID = PromptID(e.Turn)
		}
	case *PartStarted:
		same(&d.part, &e.Part)
	case *PartDelta:
		same(&d.part, &e.Part)
	case *PartEnded:
		same(&d.part, &e.Part)
	case *PartReplaced:
		same(&d.part, &e.Part)
	case *ToolStarted:
		same(&d.call, &e.Call)
	case *ToolInput:
		same(&d.call, &e.Call)
	case *ToolReady:
		same(&d.call, &e.Call)
	case *ToolOutput:
		same(&d.call, &e.Call)
	case *ToolEnded:
		same(&d.call, &e.Call)
	}
}

func same[S ~string](last, s *S) {
	if *s == *last {
		*s = *last
		return
	}
	*last = *s
}
