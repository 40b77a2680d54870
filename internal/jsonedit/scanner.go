package jsonedit

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// maxDepth bounds nesting, as encoding/json does.
const maxDepth = 10000

// The reasons to refuse a text.
var (
	ErrSyntax    = errors.New("invalid JSON")
	ErrNotObject = errors.New("the JSON text is not an object")
	errTooMany   = errors.New("the JSON text has too many values")
)

// Span is a range of bytes of a text: [From, To). The span of a string or a key includes its quotes.
type Span struct{ From, To int }

// Scanner walks JSON text from its beginning to its end. Walking is driven by the caller:
//
//	s := jsonedit.Scan(text)
//	for ok := s.TopObject(); ok; ok = s.NextMember() {
//		key := s.Key()
//		value := s.Value()
//	}
//	err := s.End()
//
// The first error ends all loops and stays; what is returned from then on is zero. A Scanner allocates nothing unless
// [Scanner.String] is called. It is used by one goroutine.
type Scanner struct {
	text  []byte
	at    int
	depth int
	err   error
}

// Scan returns a scanner at the start of a text.
func Scan(text []byte) Scanner { return Scanner{text: text} }

// Kind returns the first byte of the next value: one of { [ " t f n, and 0 for any number. It is 255 if no value begins
// there.
func (s *Scanner) Kind() byte {
	switch c := s.space(); {
	case c == '-' || isDigit(c):
		return 0
	case c == '{', c == '[', c == '"', c == 't', c == 'f', c == 'n':
		return c
	}
	return 255
}

// Object enters the next object, and reports whether it has a member.
func (s *Scanner) Object() bool { return s.open('{', '}') }

// TopObject enters the object that the whole text must be, and reports whether it has a member. Any other value is
// [ErrNotObject].
func (s *Scanner) TopObject() bool {
	if s.space() == '{' {
		return s.Object()
	}
	s.Value()
	if s.End() == nil {
		s.fail(ErrNotObject)
	}
	return false
}

// NextMember moves on after the value of a member, and reports whether the object has another one.
func (s *Scanner) NextMember() bool { return s.next('}') }

// Array enters the next array, and reports whether it has an element.
func (s *Scanner) Array() bool { return s.open('[', ']') }

// NextElement moves on after an element, and reports whether the array has another one.
func (s *Scanner) NextElement() bool { return s.next(']') }

// Key consumes the key of a member. The caller has to consume its value next.
func (s *Scanner) Key() Span {
	if s.space() != '"' {
		s.fail(ErrSyntax)
		return Span{}
	}
	key := s.str()
	if s.space() != ':' {
		s.fail(ErrSyntax)
		return Span{}
	}
	s.at++
	return key
}

// Value consumes the next value as a whole.
func (s *Scanner) Value() Span {
	c := s.space()
	from := s.at
	switch {
	case s.err != nil:
		return Span{}
	case c == '"':
		return s.str()
	case c == '{':
		for ok := s.Object(); ok; ok = s.NextMember() {
			s.Key()
			s.Value()
		}
	case c == '[':
		for ok := s.Array(); ok; ok = s.NextElement() {
			s.Value()
		}
	case c == '-' || isDigit(c):
		s.number()
	case c == 't':
		s.word("true")
	case c == 'f':
		s.word("false")
	case c == 'n':
		s.word("null")
	default:
		s.fail(ErrSyntax)
	}
	if s.err != nil {
		return Span{}
	}
	return Span{from, s.at}
}

// End checks that only white space follows, and returns the first error of the whole walk: [ErrSyntax] or
// [ErrNotObject].
func (s *Scanner) End() error {
	if s.space(); s.at < len(s.text) {
		s.fail(ErrSyntax)
	}
	return s.err
}

// Err returns the first error so far.
func (s *Scanner) Err() error { return s.err }

// Is reports whether the string at p, a span returned by this scanner, equals want.
func (s *Scanner) Is(p Span, want string) bool { return is(s.text, p, want) }

// String decodes the string at p, a span returned by this scanner. Like encoding/json it replaces invalid UTF-8.
func (s *Scanner) String(p Span) string { return decode(s.text, p) }

func is(text []byte, p Span, want string) bool {
	if p.To-p.From < 2 {
		return false
	}
	raw := text[p.From+1 : p.To-1]
	if string(raw) == want {
		return true
	}
	for _, c := range raw {
		if c == '\\' {
			return decode(text, p) == want
		}
	}
	return false
}

func decode(text []byte, p Span) string {
	if p.To-p.From < 2 || text[p.From] != '"' {
		return ""
	}
	return unquote(text[p.From:p.To])
}

// fail records the first error and ends the text.
func (s *Scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.at = len(s.text)
}

// space skips white space and returns the byte after it, 0 at the end.
func (s *Scanner) space() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

func (s *Scanner) open(begin, end byte) bool {
	c := s.space()
	if s.depth++; s.depth > maxDepth || c != begin || s.err != nil {
		s.fail(ErrSyntax)
		return false
	}
	s.at++
	if s.space() == end {
		s.at++
		s.depth--
		return false
	}
	return s.err == nil
}

// next consumes the comma before another value, or the bracket that ends the list.
func (s *Scanner) next(end byte) bool {
	c := s.space()
	if s.err != nil || c != ',' && c != end {
		s.fail(ErrSyntax)
		return false
	}
	s.at++
	if c == end {
		s.depth--
		return false
	}
	return true
}

// str consumes a string.
func (s *Scanner) str() Span {
	from := s.at
	end := EndOfString(s.text, from+1)
	if end < 0 {
		s.fail(ErrSyntax)
		return Span{}
	}
	s.at = end
	return Span{from, end}
}

// EndOfString returns the index after the closing quote of a string whose text begins at b[i], -1 if it is invalid or
// does not end.
func EndOfString(b []byte, i int) int {
	for {
		for len(b)-i >= 16 {
			p := (*[16]byte)(b[i:])
			first, second := special(binary.LittleEndian.Uint64(p[:8])), special(binary.LittleEndian.Uint64(p[8:]))
			if first != 0 {
				i += bits.TrailingZeros64(first) / 8
				break
			}
			if second != 0 {
				i += 8 + bits.TrailingZeros64(second)/8
				break
			}
			i += 16
		}
		if i >= len(b) {
			return -1
		}
		switch c := b[i]; {
		case c == '\\':
			if i+1 < len(b) && shortEscape[b[i+1]] {
				i += 2
			} else if n := escapeLen(b[i:]); n > 0 {
				i += n
			} else {
				return -1
			}
		case c == '"':
			return i + 1
		case c < ' ':
			return -1
		default: // near the end
			i++
		}
	}
}

// shortEscape are the bytes that make an escape of two bytes after a backslash.
var shortEscape = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// special finds the first of eight bytes that is a quote, a backslash or a control character, in the lowest byte with
// its high bit set; 0 if there is none. It checks all eight at once; a borrow may set higher bits too, which does not
// matter.
func special(w uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, escape := w^ones*'"', w^ones*'\\'
	return ((w-ones*' ')&^w | (quote-ones)&^quote | (escape-ones)&^escape) & highs
}

// escapeLen returns the length of the escape at the start of b, 0 if there is none.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if shortEscape[b[1]] {
		return 2
	}
	if b[1] != 'u' || len(b) < 6 {
		return 0
	}
	for _, c := range b[2:6] {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return 0
		}
	}
	return 6
}

func (s *Scanner) number() {
	if s.peek() == '-' {
		s.at++
	}
	ok := true
	if s.peek() == '0' {
		s.at++
	} else {
		ok = s.digits()
	}
	if s.peek() == '.' {
		s.at++
		ok = s.digits() && ok
	}
	if s.peek()|0x20 == 'e' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		ok = s.digits() && ok
	}
	if !ok {
		s.fail(ErrSyntax)
	}
}

// digits consumes one or more digits.
func (s *Scanner) digits() bool {
	from := s.at
	for isDigit(s.peek()) {
		s.at++
	}
	return s.at > from
}

func (s *Scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *Scanner) word(w string) {
	if len(s.text)-s.at < len(w) || string(s.text[s.at:s.at+len(w)]) != w {
		s.fail(ErrSyntax)
		return
	}
	s.at += len(w)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
