package proxy

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/bits"
)

// maxDepth bounds nesting, as encoding/json does.
const maxDepth = 10000

var errSyntax = errors.New("invalid JSON")

// span is a range of bytes: [from, to).
type span struct{ from, to int }

// scanner walks JSON text without building values. It accepts exactly what encoding/json accepts; the bodies it walks
// can be megabytes, of which two or three short fields matter.
type scanner struct {
	b     []byte
	i     int
	depth int
}

// scanDocument walks the members of the one object that text must be. The visitor has to consume the member's value with
// one of the scanner's methods.
func scanDocument(text []byte, visit func(s *scanner, key span) error) error {
	s := scanner{b: text}
	if s.space() == '{' {
		if err := s.object(visit); err != nil {
			return err
		}
		return s.end()
	}
	if _, err := s.value(); err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	return errNotObject
}

// end demands that nothing follows.
func (s *scanner) end() error {
	if s.space(); s.i < len(s.b) {
		return errSyntax
	}
	return nil
}

// space skips white space and returns the byte it stopped at, 0 at the end.
func (s *scanner) space() byte {
	for s.i < len(s.b) {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return c
		}
	}
	return 0
}

// value consumes one value of any kind and says where it was.
func (s *scanner) value() (span, error) {
	var err error
	c := s.space()
	from := s.i
	switch {
	case c == '"':
		return s.text()
	case c == '{':
		err = s.object(nil)
	case c == '[':
		err = s.array(nil)
	case c == '-' || isDigit(c):
		err = s.number()
	case c == 't':
		err = s.word("true")
	case c == 'f':
		err = s.word("false")
	case c == 'n':
		err = s.word("null")
	default:
		err = errSyntax
	}
	return span{from, s.i}, err
}

// object consumes an object. A nil visitor skips the members.
func (s *scanner) object(visit func(s *scanner, key span) error) error {
	if s.depth++; s.depth > maxDepth || s.space() != '{' {
		return errSyntax
	}
	s.i++
	if s.space() == '}' {
		s.i++
		s.depth--
		return nil
	}
	for {
		if s.space() != '"' {
			return errSyntax
		}
		key, err := s.text()
		if err != nil {
			return err
		}
		if s.space() != ':' {
			return errSyntax
		}
		s.i++
		if visit == nil {
			_, err = s.value()
		} else {
			err = visit(s, key)
		}
		if err != nil {
			return err
		}
		if more, err := s.next('}'); err != nil || !more {
			return err
		}
	}
}

// array consumes an array. A nil visitor skips the elements.
func (s *scanner) array(visit func(s *scanner, index int) error) error {
	if s.depth++; s.depth > maxDepth || s.space() != '[' {
		return errSyntax
	}
	s.i++
	if s.space() == ']' {
		s.i++
		s.depth--
		return nil
	}
	for index := 0; ; index++ {
		var err error
		if visit == nil {
			_, err = s.value()
		} else {
			err = visit(s, index)
		}
		if err != nil {
			return err
		}
		if more, err := s.next(']'); err != nil || !more {
			return err
		}
	}
}

// next consumes the comma before another element, or the bracket that ends the list.
func (s *scanner) next(end byte) (more bool, err error) {
	c := s.space()
	if c != ',' && c != end {
		return false, errSyntax
	}
	s.i++
	if c == end {
		s.depth--
		return false, nil
	}
	return true, nil
}

// text consumes a string; the span includes its quotes.
func (s *scanner) text() (span, error) {
	from := s.i
	i := from + 1
	for i < len(s.b) {
		if len(s.b)-i >= 8 {
			n := plain(binary.LittleEndian.Uint64(s.b[i:]))
			if i += n; n == 8 {
				continue
			}
		}
		c := s.b[i]
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		if c == '"' {
			s.i = i + 1
			return span{from, s.i}, nil
		}
		if c != '\\' {
			break // a control character
		}
		n := escapeLen(s.b[i:])
		if n == 0 {
			break
		}
		i += n
	}
	s.i = i
	return span{from, i}, errSyntax
}

// plain counts the bytes of w, the lowest first, before one at which a string cannot simply go on: a quote, a backslash
// or a control character. It looks at all eight at once; each term has the high bit of such a byte set. Above the first
// one a borrow may set others too, which does not matter.
func plain(w uint64) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, escape := w^ones*'"', w^ones*'\\'
	hit := ((w-ones*' ')&^w | (quote-ones)&^quote | (escape-ones)&^escape) & highs
	return bits.TrailingZeros64(hit) / 8
}

// escapeLen is the length of the escape that b begins with, 0 if it is none.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		for _, c := range b[2:6] {
			if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
				return 0
			}
		}
		return 6
	}
	return 0
}

func (s *scanner) number() error {
	if s.peek() == '-' {
		s.i++
	}
	switch {
	case s.peek() == '0':
		s.i++
	case !s.digits():
		return errSyntax
	}
	if s.peek() == '.' {
		s.i++
		if !s.digits() {
			return errSyntax
		}
	}
	if s.peek()|0x20 == 'e' {
		s.i++
		if c := s.peek(); c == '+' || c == '-' {
			s.i++
		}
		if !s.digits() {
			return errSyntax
		}
	}
	return nil
}

// digits consumes one digit or more.
func (s *scanner) digits() bool {
	from := s.i
	for isDigit(s.peek()) {
		s.i++
	}
	return s.i > from
}

func (s *scanner) peek() byte {
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

func (s *scanner) word(w string) error {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		return errSyntax
	}
	s.i += len(w)
	return nil
}

// is reports whether the string at p, which text consumed, says want.
func (s *scanner) is(p span, want string) bool {
	raw := s.b[p.from+1 : p.to-1]
	if string(raw) == want {
		return true
	}
	for _, c := range raw {
		if c == '\\' {
			return s.string(p) == want
		}
	}
	return false
}

// string decodes the string at p, which text consumed.
func (s *scanner) string(p span) string {
	var v string
	if err := json.Unmarshal(s.b[p.from:p.to], &v); err != nil {
		return ""
	}
	return v
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
