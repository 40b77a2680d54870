package mapper

import (
	"strings"
	"unicode/utf8"
)

// A streamed answer comes as thousands of lines that each hold a few characters in three hundred bytes. Decoding them as
// the union of everything a runtime can say would cost more than all else that happens to them, so they are read by a
// scanner that knows this one shape, and says so as soon as it meets anything else.

// piece is a fragment of a streamed block.
type piece struct {
	index int
	kind  string // text_delta, thinking_delta or input_json_delta
	text  string
}

// sniffDelta reads a line if it is a fragment of a streamed block of the top level and nothing out of the ordinary. If it
// says no, the line may still be one: the slow way decides.
func sniffDelta(data []byte) (piece, bool) {
	s := scanner{in: data}
	var p piece
	var isStream, hasEvent bool
	ok := s.object(func(key string) bool {
		switch key {
		case "type":
			text, ok := s.text()
			isStream = text == "stream_event"
			return ok && isStream
		case "event":
			hasEvent = true
			return s.deltaEvent(&p)
		case "parent_tool_use_id":
			return s.null()
		case "session_id", "uuid", "api_message_id":
			return s.skip()
		}
		return false
	})
	return p, ok && isStream && hasEvent && s.end()
}

func (s *scanner) deltaEvent(p *piece) bool {
	var isDelta, hasIndex, hasDelta bool
	ok := s.object(func(key string) bool {
		switch key {
		case "type":
			text, ok := s.text()
			isDelta = text == "content_block_delta"
			return ok && isDelta
		case "index":
			hasIndex = true
			var ok bool
			p.index, ok = s.count()
			return ok
		case "delta":
			hasDelta = true
			return s.delta(p)
		}
		return false
	})
	return ok && isDelta && hasIndex && hasDelta
}

func (s *scanner) delta(p *piece) bool {
	field := ""
	ok := s.object(func(key string) bool {
		text, ok := s.text()
		switch key {
		case "type":
			p.kind = text
		case "text", "thinking", "partial_json":
			field, p.text = key, text
		default:
			return false
		}
		return ok
	})
	switch p.kind {
	case "text_delta":
		return ok && field == "text"
	case "thinking_delta":
		return ok && field == "thinking"
	case "input_json_delta":
		return ok && field == "partial_json"
	}
	return false
}

// scanner reads the JSON it expects and gives up on all other, valid or not.
type scanner struct {
	in []byte
	at int
}

func (s *scanner) space() {
	for s.at < len(s.in) && (s.in[s.at] == ' ' || s.in[s.at] == '\t' || s.in[s.at] == '\r' || s.in[s.at] == '\n') {
		s.at++
	}
}

// take steps over c, with space before it.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.at < len(s.in) && s.in[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) end() bool {
	s.space()
	return s.at == len(s.in)
}

// object reads an object that is not empty and calls value at each of its values, which must take it. A key that stands
// twice is left to the slow way.
func (s *scanner) object(value func(key string) bool) bool {
	if !s.take('{') {
		return false
	}
	var seen [8]string
	for n := 0; ; n++ {
		key, ok := s.text()
		if !ok || n == len(seen) || !s.take(':') {
			return false
		}
		for _, k := range seen[:n] {
			if k == key {
				return false
			}
		}
		seen[n] = key
		if !value(key) {
			return false
		}
		switch {
		case s.take(','):
		case s.take('}'):
			return true
		default:
			return false
		}
	}
}

func (s *scanner) null() bool {
	s.space()
	if strings.HasPrefix(string(s.in[s.at:min(len(s.in), s.at+4)]), "null") {
		s.at += 4
		return true
	}
	return false
}

// count reads a number without sign, fraction or exponent.
func (s *scanner) count() (int, bool) {
	s.space()
	start, n := s.at, 0
	for s.at < len(s.in) && s.in[s.at] >= '0' && s.in[s.at] <= '9' && s.at-start < 6 {
		n = n*10 + int(s.in[s.at]-'0')
		s.at++
	}
	digits := s.at - start
	if digits == 0 || digits > 1 && s.in[start] == '0' {
		return 0, false
	}
	if s.at < len(s.in) {
		switch s.in[s.at] {
		case '.', 'e', 'E', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return 0, false
		}
	}
	return n, true
}

// known are the strings that every line repeats; they are not copied again.
var known = []string{
	"type", "event", "session_id", "parent_tool_use_id", "uuid", "stream_event", "index", "delta", "content_block_delta",
	"text_delta", "text", "thinking_delta", "thinking", "input_json_delta", "partial_json",
}

// skip steps over a string without escapes.
func (s *scanner) skip() bool {
	if !s.take('"') {
		return false
	}
	for ; s.at < len(s.in); s.at++ {
		switch c := s.in[s.at]; {
		case c == '"':
			s.at++
			return true
		case c == '\\' || c < ' ' || c >= utf8.RuneSelf:
			return false
		}
	}
	return false
}

// text reads a string.
func (s *scanner) text() (string, bool) {
	if !s.take('"') {
		return "", false
	}
	start, ascii := s.at, true
	for ; s.at < len(s.in); s.at++ {
		switch c := s.in[s.at]; {
		case c == '"':
			raw := s.in[start:s.at]
			s.at++
			if !ascii && !utf8.Valid(raw) {
				return "", false
			}
			for _, k := range known {
				if string(raw) == k {
					return k, true
				}
			}
			return string(raw), true
		case c == '\\':
			return s.escaped(start)
		case c < ' ':
			return "", false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return "", false
}

// escaped reads the rest of a string that has begun at start and holds an escape here.
func (s *scanner) escaped(start int) (string, bool) {
	var b strings.Builder
	b.Grow(2 * (s.at - start + 16))
	b.Write(s.in[start:s.at])
	for s.at < len(s.in) {
		c := s.in[s.at]
		switch {
		case c == '"':
			s.at++
			text := b.String()
			return text, utf8.ValidString(text)
		case c < ' ':
			return "", false
		case c != '\\':
			b.WriteByte(c)
			s.at++
		default:
			if s.at+1 >= len(s.in) {
				return "", false
			}
			plain, ok := simpleEscape(s.in[s.at+1])
			if !ok {
				return "", false // a code point: rare enough for the slow way
			}
			b.WriteByte(plain)
			s.at += 2
		}
	}
	return "", false
}

func simpleEscape(c byte) (byte, bool) {
	switch c {
	case '"', '\\', '/':
		return c, true
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'r':
		return '\r', true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	}
	return 0, false
}
