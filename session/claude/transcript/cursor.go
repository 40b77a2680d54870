package transcript

import (
	"encoding/json"
	"strings"

	"parley/internal/jsonedit"
)

// cursor walks over one JSON value and decodes only requested members. It accepts what encoding/json accepts.
type cursor struct {
	b []byte
	s jsonedit.Scanner
	// fresh reports whether an object or a list was just entered, first whether it has a member.
	fresh, first bool
}

func newCursor(b []byte) *cursor { return &cursor{b: b, s: jsonedit.Scan(b)} }

// bad reports whether the value is malformed so far.
func (c *cursor) bad() bool { return c.s.Err() != nil }

// ended reports whether the value is complete and well-formed.
func (c *cursor) ended() bool { return c.s.End() == nil }

// peek returns the kind of the next value; see [jsonedit.Scanner.Kind].
func (c *cursor) peek() byte { return c.s.Kind() }

// open enters an object or a list.
func (c *cursor) open(bracket byte) bool {
	if c.s.Kind() != bracket {
		return false
	}
	c.fresh = true
	if bracket == '{' {
		c.first = c.s.Object()
	} else {
		c.first = c.s.Array()
	}
	return true
}

// into enters an object or a list, and skips any other value.
func (c *cursor) into(bracket byte) bool {
	if c.open(bracket) {
		return true
	}
	c.skip()
	return false
}

// more reports whether another element of a list follows.
func (c *cursor) more() bool {
	if c.fresh {
		c.fresh = false
		return c.first
	}
	return c.s.NextElement()
}

// key returns the name of the next member, false at the end of the object. The value is next.
func (c *cursor) key() (string, bool) {
	more := c.first
	if !c.fresh {
		more = c.s.NextMember()
	}
	c.fresh = false
	if !more {
		return "", false
	}
	at := c.s.Key()
	if c.bad() {
		return "", false
	}
	if name, ok := names[string(c.b[at.From+1:at.To-1])]; ok {
		return name, true // without allocating
	}
	return c.s.String(at), true
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

// skip skips the next value and returns it, nil if it is malformed.
func (c *cursor) skip() []byte {
	at := c.s.Value()
	if c.bad() {
		return nil
	}
	return c.b[at.From:at.To]
}

// text returns the next value if it is a string, and skips any other for "".
func (c *cursor) text() string {
	if c.s.Kind() != '"' {
		c.skip()
		return ""
	}
	at := c.s.Value()
	if c.bad() {
		return ""
	}
	return c.s.String(at)
}

// textOf returns the string in a value, "" for any other.
func textOf(raw []byte) string { return newCursor(raw).text() }

func (c *cursor) truth() bool { return string(c.skip()) == "true" }

// number returns the next value if it is a whole number, else 0.
func (c *cursor) number() int64 {
	var n int64
	if json.Unmarshal(c.skip(), &n) != nil {
		return 0
	}
	return n
}

// Without removes a member from the object under outer in a JSON object. It returns the rest and the raw value of the member,
// or the object and nil without such a member. It is for long values that need not be decoded.
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

// find returns the range of the value of the last member with a name.
func find(object []byte, member string) (from, to int, ok bool) {
	s := jsonedit.Scan(object)
	for more := s.TopObject(); more; more = s.NextMember() {
		key := s.Key()
		if value := s.Value(); s.Is(key, member) {
			from, to, ok = value.From, value.To, true
		}
	}
	return from, to, ok && s.Err() == nil
}
