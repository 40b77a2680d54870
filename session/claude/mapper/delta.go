package mapper

import (
	"strconv"

	"parley/internal/jsonedit"
)

// A streamed answer comes as thousands of lines that each hold a few characters in three hundred bytes. Decoding them as
// the union of everything a runtime can print would cost more than all else that happens to them, so lines of this one
// shape are scanned, and all others are decoded.

// piece is a fragment of a streamed block.
type piece struct {
	index int
	kind  string // text_delta, thinking_delta or input_json_delta
	text  string
}

// deltaFields are the kinds of fragments, and the field that holds the text of each.
var deltaFields = [...]struct{ kind, field string }{
	{"text_delta", "text"}, {"thinking_delta", "thinking"}, {"input_json_delta", "partial_json"},
}

// readDelta reads a line if it is a fragment of a streamed block of the top level and has no other fields than usual. If it
// reports false, the line may still be one, and has to be decoded.
func readDelta(data []byte) (p piece, ok bool) {
	s := jsonedit.Scan(data)
	stream, event := false, false
	for more := s.TopObject(); more; more = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case kind == '"' && !stream && s.Is(key, "type"):
			if stream = s.Is(s.Value(), "stream_event"); !stream {
				return p, false
			}
		case kind == '{' && !event && s.Is(key, "event"):
			if event = readDeltaEvent(data, &s, &p); !event {
				return p, false
			}
		case kind == 'n' && s.Is(key, "parent_tool_use_id"),
			kind == '"' && (s.Is(key, "session_id") || s.Is(key, "uuid") || s.Is(key, "api_message_id")):
			s.Value()
		default:
			return p, false
		}
	}
	return p, stream && event && s.End() == nil
}

// readDeltaEvent consumes the event of the line.
func readDeltaEvent(data []byte, s *jsonedit.Scanner, p *piece) bool {
	isDelta, delta := false, false
	p.index = -1
	for more := s.Object(); more; more = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case kind == '"' && !isDelta && s.Is(key, "type"):
			if isDelta = s.Is(s.Value(), "content_block_delta"); !isDelta {
				return false
			}
		case kind == 0 && p.index < 0 && s.Is(key, "index"):
			at := s.Value()
			n, err := strconv.Atoi(string(data[at.From:at.To]))
			if err != nil || n < 0 {
				return false
			}
			p.index = n
		case kind == '{' && !delta && s.Is(key, "delta"):
			if delta = readDeltaText(s, p); !delta {
				return false
			}
		default:
			return false
		}
	}
	return isDelta && delta && p.index >= 0
}

// readDeltaText consumes the delta: its type, and the one field that this type has.
func readDeltaText(s *jsonedit.Scanner, p *piece) bool {
	field := ""
	for more := s.Object(); more; more = s.NextMember() {
		key := s.Key()
		if s.Kind() != '"' {
			return false
		}
		value := s.Value()
		if p.kind == "" && s.Is(key, "type") {
			for _, d := range deltaFields {
				if s.Is(value, d.kind) {
					p.kind = d.kind
				}
			}
			continue
		}
		if field != "" {
			return false
		}
		for _, d := range deltaFields {
			if s.Is(key, d.field) {
				field, p.text = d.field, s.String(value)
			}
		}
		if field == "" {
			return false
		}
	}
	for _, d := range deltaFields {
		if p.kind == d.kind {
			return field == d.field
		}
	}
	return false
}
