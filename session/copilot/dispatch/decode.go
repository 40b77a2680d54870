package dispatch

import (
	"encoding/json"
	"strings"
	"time"

	"parley/internal/jsonedit"
	"parley/session/copilot/protocol"
)

// maxNames bounds the names that a [decoder] shares between events.
const maxNames = 1024

// decoder reads the parameters of session.event notifications. Names that events repeat are allocated once. It is used by one
// goroutine.
type decoder struct{ names map[string]string }

// envelope has the places of an event's fields in its text.
type envelope struct{ id, timestamp, parent, ephemeral, agent, kind, data jsonedit.Span }

// read returns the session of a notification and its event, whose data is a part of params. ok is false for an event that
// no mapper reads, which is not decoded, and for what is not an event.
func (d *decoder) read(params []byte) (session string, e protocol.Event, ok bool) {
	var in envelope
	var id jsonedit.Span
	s := jsonedit.Scan(params)
	for more := s.TopObject(); more; more = s.NextMember() {
		switch key := s.Key(); {
		case s.Is(key, "sessionId"):
			id = s.Value()
		case s.Is(key, "event") && s.Kind() == '{':
			in.read(&s)
		default:
			s.Value()
		}
	}
	if s.End() != nil {
		return "", e, false
	}
	kind := d.name(&s, params, in.kind)
	if kind == "" || dropped(kind) {
		return "", e, false
	}
	e = protocol.Event{ID: s.String(in.id), ParentID: s.String(in.parent), Agent: d.name(&s, params, in.agent), Type: kind,
		Ephemeral: string(params[in.ephemeral.From:in.ephemeral.To]) == "true"}
	e.Timestamp, _ = time.Parse(time.RFC3339, s.String(in.timestamp)) // the zero time if it is none
	if in.data != (jsonedit.Span{}) {
		e.Data = json.RawMessage(params[in.data.From:in.data.To:in.data.To])
	}
	return d.name(&s, params, id), e, true
}

// read finds the fields of the event that comes next.
func (in *envelope) read(s *jsonedit.Scanner) {
	for more := s.Object(); more; more = s.NextMember() {
		key := s.Key()
		field := in.field(s, key)
		if value := s.Value(); field != nil {
			*field = value
		}
	}
}

// field returns the field with a key, nil for none.
func (in *envelope) field(s *jsonedit.Scanner, key jsonedit.Span) *jsonedit.Span {
	switch {
	case s.Is(key, "id"):
		return &in.id
	case s.Is(key, "timestamp"):
		return &in.timestamp
	case s.Is(key, "parentId"):
		return &in.parent
	case s.Is(key, "ephemeral"):
		return &in.ephemeral
	case s.Is(key, "agentId"):
		return &in.agent
	case s.Is(key, "type"):
		return &in.kind
	case s.Is(key, "data"):
		return &in.data
	}
	return nil
}

// dropped reports whether no reader wants events of a type: they repeat others, and the system message and the snapshots are
// a hundred kilobytes each. Only the failure of a request says why it is repeated, and in 1.0.85 that it is.
func dropped(kind string) bool {
	return kind == "system.message" || strings.HasPrefix(kind, "model.") && kind != "model.call_failure"
}

// name returns the string at p, the same one as before if it repeats.
func (d *decoder) name(s *jsonedit.Scanner, text []byte, p jsonedit.Span) string {
	if p.To-p.From < 2 || text[p.From] != '"' {
		return ""
	}
	if known, ok := d.names[string(text[p.From:p.To])]; ok {
		return known
	}
	if d.names == nil || len(d.names) >= maxNames {
		d.names = map[string]string{}
	}
	name := s.String(p)
	d.names[string(text[p.From:p.To])] = name
	return name
}
