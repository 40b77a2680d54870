package toolview

import (
	"bytes"
	"encoding/json"

	"parley/internal/jsonedit"
)

// stringField returns the first string with the given key of an object that may be cut off anywhere: at the top level,
// or, if deep, anywhere in it. A value that is cut off counts up to the cut. It stops at the first hit, so that long values
// after it cost nothing.
func stringField(input json.RawMessage, key string, deep bool) (string, bool) {
	s := jsonedit.Scan(input)
	if s.Kind() != '{' {
		return "", false
	}
	return findString(&s, input, key, deep)
}

// findString searches the value that comes next, an object or an array, and consumes it up to the hit.
func findString(s *jsonedit.Scanner, input []byte, key string, deep bool) (string, bool) {
	if s.Kind() == '[' {
		for ok := s.Array(); ok; ok = s.NextElement() {
			if text, found := findIn(s, input, key, deep); found {
				return text, true
			}
		}
		return "", false
	}
	for ok := s.Object(); ok; ok = s.NextMember() {
		k := s.Key()
		if s.Kind() != '"' || !s.Is(k, key) {
			if text, found := findIn(s, input, key, deep); found {
				return text, true
			}
			continue
		}
		if value := s.Value(); s.Err() == nil {
			return s.String(value), true
		}
		_, cut, _ := bytes.Cut(input[k.To:], []byte{'"'}) // nothing but a colon comes before the quote
		return cutString(cut), true
	}
	return "", false
}

// findIn searches within a value of another key, or consumes it.
func findIn(s *jsonedit.Scanner, input []byte, key string, deep bool) (string, bool) {
	if kind := s.Kind(); deep && (kind == '{' || kind == '[') {
		return findString(s, input, key, deep)
	}
	s.Value()
	return "", false
}

// maxEscape is the largest size of an escape in bytes: two code units of UTF-16.
const maxEscape = len(`\ud83d\ude00`)

// cutString returns a string whose end is cut off, without an escape that is not whole.
func cutString(raw []byte) string {
	for cut := 0; cut <= maxEscape && cut <= len(raw); cut++ {
		var out string
		if json.Unmarshal(append(append([]byte{'"'}, raw[:len(raw)-cut]...), '"'), &out) == nil {
			return out
		}
	}
	return ""
}
