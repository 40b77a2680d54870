package mapper

import (
	"strconv"

	"parley/internal/jsonedit"
)

// chunk is an entry of the log. A long log has thousands, which is why they are not decoded by reflection.
type chunk struct {
	scan    jsonedit.Scanner
	data    []byte
	object  string
	created int64 // seconds since 1970
	model   string
	deltas  []delta
	usage   usage
}

// usage counts the tokens of a request.
type usage struct{ output, prompt, cached int64 }

// delta is a message, or calls with or without a result.
type delta struct {
	role, content, reasoning string
	calls                    []started
}

// started is a tool call. Its arguments are a JSON string, which is decoded when it is needed.
type started struct {
	id, name  string
	arguments jsonedit.Span
}

// decodeChunk decodes an entry. Members of other types than expected count as missing.
func decodeChunk(data []byte) (*chunk, bool) {
	c := &chunk{scan: jsonedit.Scan(data), data: data}
	s := &c.scan
	for ok := s.TopObject(); ok; ok = s.NextMember() {
		switch key := s.Key(); {
		case s.Is(key, "object"):
			c.object = c.text()
		case s.Is(key, "created"):
			c.created = c.number()
		case s.Is(key, "model"):
			c.model = c.text()
		case s.Is(key, "choices"):
			c.list(func() {
				var d delta
				c.members(func(key jsonedit.Span) bool {
					if !s.Is(key, "delta") {
						return false
					}
					d = c.delta()
					return true
				})
				c.deltas = append(c.deltas, d)
			})
		case s.Is(key, "usage"):
			c.usage = c.tokens()
		default:
			s.Value()
		}
	}
	return c, s.End() == nil
}

// delta decodes a delta.
func (c *chunk) delta() (d delta) {
	s := &c.scan
	c.members(func(key jsonedit.Span) bool {
		switch {
		case s.Is(key, "role"):
			d.role = c.text()
		case s.Is(key, "content"):
			d.content = c.text()
		case s.Is(key, "reasoning_text"):
			d.reasoning = c.text()
		case s.Is(key, "tool_calls"):
			c.list(func() { d.calls = append(d.calls, c.call()) })
		default:
			return false
		}
		return true
	})
	return d
}

// call decodes a call.
func (c *chunk) call() (t started) {
	s := &c.scan
	c.members(func(key jsonedit.Span) bool {
		switch {
		case s.Is(key, "id"):
			t.id = c.text()
		case s.Is(key, "function"):
			c.members(func(key jsonedit.Span) bool {
				switch {
				case s.Is(key, "name"):
					t.name = c.text()
				case s.Is(key, "arguments") && s.Kind() == '"':
					t.arguments = s.Value()
				default:
					return false
				}
				return true
			})
		default:
			return false
		}
		return true
	})
	return t
}

// tokens decodes a usage.
func (c *chunk) tokens() (u usage) {
	s := &c.scan
	c.members(func(key jsonedit.Span) bool {
		switch {
		case s.Is(key, "completion_tokens"):
			u.output = c.number()
		case s.Is(key, "prompt_tokens"):
			u.prompt = c.number()
		case s.Is(key, "prompt_tokens_details"):
			c.members(func(key jsonedit.Span) bool {
				if !s.Is(key, "cached_tokens") {
					return false
				}
				u.cached = c.number()
				return true
			})
		default:
			return false
		}
		return true
	})
	return u
}

// members calls take for each member of an object, whose value it may take; what it does not take, and values of another type,
// are passed over.
func (c *chunk) members(take func(key jsonedit.Span) bool) {
	s := &c.scan
	if s.Kind() != '{' {
		s.Value()
		return
	}
	for ok := s.Object(); ok; ok = s.NextMember() {
		if key := s.Key(); !take(key) {
			s.Value()
		}
	}
}

// list calls each for every element of an array, which takes it. A value of another type is passed over.
func (c *chunk) list(each func()) {
	s := &c.scan
	if s.Kind() != '[' {
		s.Value()
		return
	}
	for ok := s.Array(); ok; ok = s.NextElement() {
		each()
	}
}

// text takes a string, "" for a value of another type.
func (c *chunk) text() string {
	isText := c.scan.Kind() == '"'
	value := c.scan.Value()
	if !isText {
		return ""
	}
	return c.scan.String(value)
}

// number takes a whole number, 0 for any other value.
func (c *chunk) number() int64 {
	value := c.scan.Value()
	n, _ := strconv.ParseInt(string(c.data[value.From:value.To]), 10, 64)
	return n
}

// argumentsOf decodes the arguments of a call.
func (c *chunk) argumentsOf(t started) string {
	if t.arguments == (jsonedit.Span{}) {
		return ""
	}
	return c.scan.String(t.arguments)
}
