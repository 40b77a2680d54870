package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// cursor walks over one JSON value without decoding what nobody wants. It skips strings by searching for their end, which
// is several times faster than a decoder that looks at every byte. For valid JSON it finds exactly what encoding/json
// finds; what is not JSON it may take for JSON, or reports as bad, and it always comes to an end.
type cursor struct {
	b   []byte
	i   int
	bad bool
}

func (c *cursor) space() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return
		}
	}
}

// peek returns the first byte of the next token, 0 at the end.
func (c *cursor) peek() byte {
	c.space()
	if c.i >= len(c.b) {
		return 0
	}
	return c.b[c.i]
}

func (c *cursor) fail() {
	c.bad = true
	c.i = len(c.b)
}

// open steps into an object or a list.
func (c *cursor) open(bracket byte) bool {
	if c.peek() != bracket {
		return false
	}
	c.i++
	return true
}

// into steps into an object or a list, or passes over anything else.
func (c *cursor) into(bracket byte) bool {
	if c.open(bracket) {
		return true
	}
	c.skip()
	return false
}

// more reports whether another member follows, before the closing bracket, and steps over the comma.
func (c *cursor) more(closing byte) bool {
	switch c.peek() {
	case closing:
		c.i++
		return false
	case ',':
		c.i++
		if c.peek() != 0 {
			return true
		}
	case 0:
	default:
		return true
	}
	c.fail()
	return false
}

// key returns the next member's name and stands before its value; false at the end of the object.
func (c *cursor) key() (string, bool) {
	if !c.more('}') {
		return "", false
	}
	raw := c.str()
	if c.bad || c.peek() != ':' {
		c.fail()
		return "", false
	}
	c.i++
	return known(raw), true
}

// known returns a name without allocating if it is one that is looked for.
func known(raw []byte) string {
	inner := raw[1 : len(raw)-1]
	if s, ok := names[string(inner)]; ok {
		return s
	}
	return unquote(raw)
}

var names = func() map[string]string {
	m := map[string]string{}
	for _, s := range strings.Fields(`type subtype uuid parentUuid logicalParentUuid isSidechain isMeta isCompactSummary
		isVisibleInTranscriptOnly isApiErrorMessage apiErrorStatus timestamp sessionId cwd gitBranch version entrypoint userType
		promptId permissionMode toolUseResult sourceToolAssistantUUID sourceToolUseID message requestId attachment content
		compactMetadata agentId error id model role stop_reason stop_sequence stop_details usage text thinking signature name
		input tool_use_id is_error source media_type data input_tokens output_tokens cache_read_input_tokens
		cache_creation_input_tokens file filePath numLines startLine totalLines customTitle aiTitle lastPrompt summary tag slug level promptSource origin container
		context_management caller diagnostics`) {
		m[s] = s
	}
	return m
}()

// str returns the next token, which has to be a string, with its quotes.
func (c *cursor) str() []byte {
	if c.peek() != '"' {
		c.fail()
		return []byte(`""`)
	}
	start := c.i
	for at := c.i + 1; ; {
		n := bytes.IndexByte(c.b[at:], '"')
		if n < 0 {
			c.fail()
			return []byte(`""`)
		}
		at += n
		slashes := 0
		for c.b[at-1-slashes] == '\\' {
			slashes++
		}
		at++
		if slashes%2 == 0 {
			c.i = at
			return c.b[start:at]
		}
	}
}

// skip passes over the next value and returns it.
func (c *cursor) skip() []byte {
	switch c.peek() {
	case '"':
		return c.str()
	case '{', '[':
		return c.nested()
	case 0:
		c.fail()
		return nil
	}
	start := c.i
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			if c.i == start {
				c.fail()
				return nil
			}
			return c.b[start:c.i]
		}
		c.i++
	}
	return c.b[start:]
}

func (c *cursor) nested() []byte {
	start, depth := c.i, 0
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case '"':
			c.str()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				c.i++
				return c.b[start:c.i]
			}
		}
		c.i++
	}
	c.fail()
	return nil
}

// text returns the next value if it is a string, else "" and passes over it.
func (c *cursor) text() string {
	if c.peek() != '"' {
		c.skip()
		return ""
	}
	return unquote(c.str())
}

func (c *cursor) truth() bool { return string(c.skip()) == "true" }

// number returns the next value if it is a whole number, else 0.
func (c *cursor) number() int64 {
	raw := c.skip()
	var n int64
	if json.Unmarshal(raw, &n) != nil {
		return 0
	}
	return n
}

// Without returns a JSON object without one member of the object that its member outer holds, and that member's value as
// it stands there; without such a member, the object itself and nil. It is for values that are long and not wanted.
func Without(object []byte, outer, member string) (rest, value []byte) {
	from, to, ok := find(object, outer)
	if !ok {
		return object, nil
	}
	begin, end, ok := find(object[from:to], member)
	if !ok {
		return object, nil
	}
	begin, end = begin+from, end+from
	rest = append(append(append([]byte(nil), object[:begin]...), "null"...), object[end:]...)
	return rest, object[begin:end]
}

// find returns where the value of a member begins and ends, the last one of that name.
func find(object []byte, member string) (from, to int, ok bool) {
	c := cursor{b: object}
	if !c.open('{') {
		return 0, 0, false
	}
	for {
		key, more := c.key()
		if !more {
			return from, to, ok && !c.bad
		}
		c.space()
		at := c.i
		c.skip()
		if key == member {
			from, to, ok = at, c.i, true
		}
	}
}

// Unquote decodes a JSON string, quotes included, as encoding/json does: invalid UTF-8 and lone surrogates become U+FFFD.
// What is no JSON string may come back in any shape.
func Unquote(raw []byte) string { return unquote(raw) }

func unquote(raw []byte) string {
	if len(raw) < 2 {
		return ""
	}
	raw = raw[1 : len(raw)-1]
	next := bytes.IndexByte(raw, '\\')
	if next < 0 {
		return valid(raw)
	}
	out := make([]byte, 0, len(raw))
	for next >= 0 {
		out = append(out, raw[:next]...)
		raw = raw[next:]
		if len(raw) < 2 {
			break
		}
		switch raw[1] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			r, size := escaped(raw)
			out = utf8.AppendRune(out, r)
			raw = raw[size:]
			next = bytes.IndexByte(raw, '\\')
			continue
		default:
			out = append(out, raw[1])
		}
		raw = raw[2:]
		next = bytes.IndexByte(raw, '\\')
	}
	return valid(append(out, raw...))
}

// escaped decodes the \u escape that raw begins with, with its low surrogate if it has one.
func escaped(raw []byte) (rune, int) {
	r := hex4(raw)
	if r < 0 {
		return utf8.RuneError, min(len(raw), 6)
	}
	if utf16.IsSurrogate(r) {
		if low := hex4(raw[6:]); low >= 0 {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// hex4 reads the \uXXXX that raw begins with, -1 if it does not.
func hex4(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	var r rune
	for _, x := range raw[2:6] {
		switch {
		case x >= '0' && x <= '9':
			x -= '0'
		case x >= 'a' && x <= 'f':
			x -= 'a' - 10
		case x >= 'A' && x <= 'F':
			x -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(x)
	}
	return r
}

// valid makes a string of b in which each byte that is not UTF-8 is U+FFFD.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string([]rune(string(b)))
}
