package mapper

import "parley/internal/jsonedit"

// readDelta scans the data of a fragment that has only the usual fields, of which thousands come with each answer. Data for
// which it reports false have to be decoded.
func readDelta(data []byte) (d streamed, ok bool) {
	s := jsonedit.Scan(data)
	for more := s.TopObject(); more; more = s.NextMember() {
		key := s.Key()
		if s.Kind() != '"' {
			return d, false
		}
		var field *string
		switch {
		case s.Is(key, "deltaContent"):
			field = &d.Delta
		case s.Is(key, "messageId"):
			field = &d.MessageID
		case s.Is(key, "reasoningId"):
			field = &d.ReasoningID
		case s.Is(key, "parentToolCallId"):
			field = &d.ParentCall
		case s.Is(key, "toolCallId"):
			field = &d.Call
		case s.Is(key, "toolName"):
			field = &d.ToolName
		case s.Is(key, "toolType"):
			field = &d.ToolType
		case s.Is(key, "inputDelta"):
			field = &d.InputDelta
		default:
			return d, false
		}
		if *field != "" {
			return d, false
		}
		*field = s.String(s.Value())
	}
	return d, s.End() == nil
}
