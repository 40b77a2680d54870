package toolview

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// stringField returns the first string with the given key of an object that may be cut off anywhere: at the top level,
// or, if deep, anywhere in it. A value that is cut off counts as far as it goes. It stops at the first hit, so that long
// values after it cost nothing.
func stringField(input json.RawMessage, key string, deep bool) (string, bool) {
	s := fieldScanner{in: string(input)}
	return s.find(key, deep)
}

// fieldScanner walks over JSON without judging it: it knows strings and brackets, and takes all else for filler.
type fieldScanner struct {
	in string
	at int
}

func (s *fieldScanner) find(key string, deep bool) (string, bool) {
	depth := 0
	last, keyed := "", false // the string before a colon
	for s.at < len(s.in) {
		switch c := s.in[s.at]; c {
		case '{', '[':
			depth++
			s.at++
			keyed = false
		case '}', ']':
			depth--
			s.at++
			keyed = false
		case ',':
			s.at++
			keyed = false
		case ':':
			s.at++
			keyed = true
		case '"':
			wanted := keyed && last == key && (deep || depth == 1)
			raw, whole := s.str()
			if wanted {
				return unquote(raw), true
			}
			if !whole {
				return "", false
			}
			if !keyed {
				last = unquote(raw)
			}
			keyed = false
		default:
			s.at++
		}
	}
	return "", false
}

// str takes a string from its opening quote on and returns what is between the quotes, still escaped, and whether it was
// closed.
func (s *fieldScanner) str() (string, bool) {
	s.at++
	start := s.at
	for s.at < len(s.in) {
		switch s.in[s.at] {
		case '\\':
			s.at += 2
		case '"':
			raw := s.in[start:s.at]
			s.at++
			return raw, true
		default:
			s.at++
		}
	}
	s.at = len(s.in)
	return s.in[start:], false
}

// unquote resolves escapes as far as they are whole, and drops a cut one at the end.
func unquote(raw string) string {
	if !strings.ContainsRune(raw, '\\') {
		return strings.ToValidUTF8(raw, string(utf8.RuneError))
	}
	for cut := 0; cut <= 12 && cut <= len(raw); cut++ {
		var out string
		if json.Unmarshal([]byte(`"`+raw[:len(raw)-cut]+`"`), &out) == nil {
			return out
		}
	}
	return strings.ToValidUTF8(raw, string(utf8.RuneError))
}
