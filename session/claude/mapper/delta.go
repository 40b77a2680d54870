package mapper

import (
	"strconv"

	"parley/internal/jsonedit"
)

// fragment is the text of a delta of a streamed block. Thousands of them come with each answer, a few characters in 300
// bytes, so lines of this shape are scanned instead of decoded as a [line].
type fragment struct {
	index int
	kind  string // text_delta, thinking_delta or input_json_delta
	text  string
}

// deltaFields lists the kinds of fragments with the field of their text.
var deltaFields = [...]struct{ kind, field string }{
	{"text_delta", "text"}, {"thinking_delta", "thinking"}, {"input_json_delta", "partial_json"},
}

// readDelta scans a line that is a fragment of a streamed top-level block and has only the usual fields. A line for which
// it reports false has to be decoded; it may be a fragment too.
func readDelta(data []byte) (f fragment, ok bool) {
	s := jsonedit.Scan(data)
	stream, event := false, false
	for more := s.TopObject(); more; more = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case kind == '"' && !stream && s.Is(key, "type"):
			if stream = s.Is(s.Value(), "stream_event"); !stream {
				return f, false
			}
		case kind == '{' && !event && s.Is(key, "event"):
			if event = readDeltaEvent(data, &s, &f); !event {
				return f, false
			}
		case kind == 'n' && s.Is(key, "parent_tool_use_id"),
			kind == '"' && (s.Is(key, "session_id") || s.Is(key, "uuid") || s.Is(key, "api_message_id")):
			s.Value()
		default:
			return f, false
		}
	}
	return f, stream && event && s.End() == nil
}

// readDeltaEvent consumes the event of the line.
func readDeltaEvent(data []byte, s *jsonedit.Scanner, f *fragment) bool {
	isDelta, delta := false, false
	f.index = -1
	for more := s.Object(); more; more = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case kind == '"' && !isDelta && s.Is(key, "type"):
			if isDelta = s.Is(s.Value(), "content_block_delta"); !isDelta {
				return false
			}
		case kind == 0 && f.index < 0 && s.Is(key, "index"):
			at := s.Value()
			n, err := strconv.Atoi(string(data[at.From:at.To]))
			if err != nil || n < 0 {
				return false
			}
			f.index = n
		case kind == '{' && !delta && s.Is(key, "delta"):
			if delta = readDeltaText(s, f); !delta {
				return false
			}
		default:
			return false
		}
	}
	return isDelta && delta && f.index >= 0
}

// readDeltaText consumes the delta: its type, and the one field that this type has.
func readDeltaText(s *jsonedit.Scanner, f *fragment) bool {
	field := ""
	for more := s.Object(); more; more = s.NextMember() {
		key := s.Key()
		if s.Kind() != '"' {
			return false
		}
		value := s.Value()
		if f.kind == "" && s.Is(key, "type") {
			for _, d := range deltaFields {
				if s.Is(value, d.kind) {
					f.kind = d.kind
				}
			}
			continue
		}
		if field != "" {
			return false
		}
		for _, d := range deltaFields {
			if s.Is(key, d.field) {
				field, f.text = d.field, s.String(value)
			}
		}
		if field == "" {
			return false
		}
	}
	for _, d := range deltaFields {
		if f.kind == d.kind {
			return field == d.field
		}
	}
	return false
}
