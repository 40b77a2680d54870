package translate

import (
	"strconv"

	"parley/internal/jsonedit"
)

// The most frequent events, which add text, are read without decoding everything. Any other event, and any unusual one,
// is left to be decoded.

// readResponsesDelta reads an event of the Responses API that adds text.
func readResponsesDelta(data []byte, e *responsesDelta) bool {
	s := jsonedit.Scan(data)
	found := false
	for ok := s.TopObject(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		value := s.Value()
		switch {
		case s.Is(key, "delta"):
			if kind != '"' || found {
				return false
			}
			e.Delta, found = s.String(value), true
		case s.Is(key, "output_index"):
			e.Output = number(data, value)
		case s.Is(key, "content_index"):
			e.Content = number(data, value)
		case s.Is(key, "summary_index"):
			e.Summary = number(data, value)
		}
	}
	return s.End() == nil && found && e.Output >= 0 && e.Content >= 0 && e.Summary >= 0
}

// number returns a small number, -1 for anything else.
func number(data []byte, p jsonedit.Span) int {
	if p.To-p.From > 6 {
		return -1
	}
	n, err := strconv.Atoi(string(data[p.From:p.To]))
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// readChatDelta reads a chunk of Chat Completions with exactly one choice that has text or reasoning.
func readChatDelta(data []byte, d *chatDelta) bool {
	s := jsonedit.Scan(data)
	choices := 0
	for ok := s.TopObject(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case s.Is(key, "choices") && kind == '[':
			for ok := s.Array(); ok; ok = s.NextElement() {
				if choices++; choices > 1 || s.Kind() != '{' || !readChatChoice(&s, d) {
					return false
				}
			}
		case kind != 'n' && (s.Is(key, "usage") || s.Is(key, "copilot_usage") || s.Is(key, "error")):
			return false
		default:
			s.Value()
		}
	}
	return s.End() == nil && choices == 1
}

// readChatChoice consumes a choice. It reports false if the choice has to be decoded.
func readChatChoice(s *jsonedit.Scanner, d *chatDelta) bool {
	deltas := 0
	for ok := s.Object(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		switch {
		case s.Is(key, "delta") && kind == '{':
			if deltas++; deltas > 1 || !readChatWords(s, d) {
				return false
			}
		case s.Is(key, "finish_reason") && kind != 'n':
			return false
		default:
			s.Value()
		}
	}
	return s.Err() == nil && deltas == 1
}

// readChatWords consumes a delta.
func readChatWords(s *jsonedit.Scanner, d *chatDelta) bool {
	for ok := s.Object(); ok; ok = s.NextMember() {
		key, kind := s.Key(), s.Kind()
		value := s.Value()
		switch {
		case kind == 'n' || s.Is(key, "role"):
		case kind == '"' && s.Is(key, "content") && d.Content == "":
			d.Content = s.String(value)
		case kind == '"' && s.Is(key, "reasoning_text") && d.ReasoningText == "":
			d.ReasoningText = s.String(value)
		default:
			return false
		}
	}
	return s.Err() == nil
}
