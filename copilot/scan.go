package copilot

import (
	"bytes"
	"encoding/json"
)

// member is one member of the outermost object of a JSON text: byte ranges of the text.
type member struct {
	keyStart, keyEnd     int // with the quotes
	valueStart, valueEnd int
}

// scanObject walks over the members of a JSON object without decoding it, and reports whether the text is one object
// and nothing else. What is nested is skipped by counting brackets, not checked. It stops early, with true, when visit
// returns false. It allocates nothing.
func scanObject(text []byte, visit func(member) bool) bool {
	i := skipSpace(text, 0)
	if i >= len(text) || text[i] != '{' {
		return false
	}
	i = skipSpace(text, i+1)
	if i < len(text) && text[i] == '}' {
		return skipSpace(text, i+1) == len(text)
	}
	for {
		var m member
		m.keyStart = i
		if m.keyEnd = skipString(text, i); m.keyEnd < 0 {
			return false
		}
		i = skipSpace(text, m.keyEnd)
		if i >= len(text) || text[i] != ':' {
			return false
		}
		m.valueStart = skipSpace(text, i+1)
		if m.valueEnd = skipValue(text, m.valueStart); m.valueEnd < 0 {
			return false
		}
		if !visit(m) {
			return true
		}
		i = skipSpace(text, m.valueEnd)
		if i >= len(text) {
			return false
		}
		if text[i] == '}' {
			return skipSpace(text, i+1) == len(text)
		}
		if text[i] != ',' {
			return false
		}
		i = skipSpace(text, i+1)
	}
}

// keyIs compares the key of a member with a plain name.
func (m member) keyIs(text []byte, name string) bool {
	raw := text[m.keyStart+1 : m.keyEnd-1]
	if string(raw) == name {
		return true
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return false
	}
	var key string
	return json.Unmarshal(text[m.keyStart:m.keyEnd], &key) == nil && key == name
}

// skipSpace returns the index of the next byte that is no JSON white space.
func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at i, -1 if none does or it does not end.
func skipString(text []byte, i int) int {
	if i >= len(text) || text[i] != '"' {
		return -1
	}
	for i++; i < len(text); {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return -1
		}
		end := i + n
		back := end
		for back > i && text[back-1] == '\\' {
			back--
		}
		i = end + 1
		if (end-back)%2 == 0 {
			return i
		}
	}
	return -1
}

// skipValue returns the index after the value that begins at i, -1 if there is none or it does not end.
func skipValue(text []byte, i int) int {
	if i >= len(text) {
		return -1
	}
	switch text[i] {
	case '"':
		return skipString(text, i)
	case '{', '[':
		return skipNested(text, i)
	}
	start := i
	for i < len(text) {
		switch text[i] {
		case ',', '}', ']', ':', '"', '{', '[', ' ', '\t', '\n', '\r':
			if i == start {
				return -1
			}
			return i
		}
		i++
	}
	return -1 // a value of a member is followed by something
}

// skipNested returns the index after the object or array that begins at i, -1 if it does not end.
func skipNested(text []byte, i int) int {
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			if i = skipString(text, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// typeOf returns the raw "type" string of a JSON object, without quotes; nil if there is none.
func typeOf(text []byte) []byte {
	var found []byte
	scanObject(text, func(m member) bool {
		if !m.keyIs(text, "type") {
			return true
		}
		if text[m.valueStart] == '"' {
			found = text[m.valueStart+1 : m.valueEnd-1]
		}
		return false
	})
	return found
}
