package driver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// longestLine is where a line counts as broken: ten times what the largest image or file makes.
const longestLine = 256 << 20

// readLines calls each with every line that is not blank, without its end, until the reader ends. The slice is valid during
// the call only. A line longer than longest is left out, and skipped called with its length. Half a line at the end is
// passed on only if it is a whole JSON value: the writer may have died within it.
func readLines(r io.Reader, longest int, each func(line []byte), skipped func(size int)) error {
	br := bufio.NewReaderSize(r, 64<<10)
	var long []byte // the beginning of a line that does not fit the reader's buffer
	size := 0       // of the line so far, which long no longer holds if it is too long
	for {
		part, err := br.ReadSlice('\n')
		size += len(part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if size <= longest {
				long = append(long, part...)
			}
			continue
		case size > longest:
			skipped(size)
		case len(long) > 0:
			part = append(long, part...)
			fallthrough
		default:
			if line := bytes.TrimSpace(part); len(line) > 0 && (err == nil || json.Valid(line)) {
				each(line)
			}
		}
		size = 0
		if cap(long) > 1<<20 {
			long = nil // rare; a large line must not be held for ever
		}
		long = long[:0]
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// typeOf finds the value of the key "type" of a JSON object without decoding the rest. The native runtime prints the key
// late in some messages, behind nested objects that have one of their own. It returns "" for what is no object or has no
// such key; it does not check what it does not need.
func typeOf(line []byte) string {
	s := scanner{b: line}
	if !s.eat('{') {
		return ""
	}
	for {
		key, ok := s.text()
		if !ok || !s.eat(':') {
			return ""
		}
		if string(key) == "type" {
			value, ok := s.text()
			if !ok {
				return ""
			}
			return named(value)
		}
		if !s.skip() || !s.eat(',') {
			return ""
		}
	}
}

// named is the type as a string, without an allocation for those that come by the hundreds.
func named(b []byte) string {
	switch string(b) {
	case "stream_event":
		return "stream_event"
	case "assistant":
		return "assistant"
	case "system":
		return "system"
	case "user":
		return "user"
	}
	return string(b)
}

// scanner walks over JSON.
type scanner struct {
	b []byte
	i int
}

func (s *scanner) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\t' || s.b[s.i] == '\r' || s.b[s.i] == '\n') {
		s.i++
	}
}

// eat takes one character, after white space.
func (s *scanner) eat(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// text takes a string and returns what is between the quotes, as it stands there.
func (s *scanner) text() ([]byte, bool) {
	if !s.eat('"') {
		return nil, false
	}
	from := s.i
	for {
		n := bytes.IndexByte(s.b[s.i:], '"')
		if n < 0 {
			return nil, false
		}
		s.i += n + 1
		escapes := 0 // an odd number of backslashes before a quote makes it part of the string
		for k := s.i - 2; k >= from && s.b[k] == '\\'; k-- {
			escapes++
		}
		if escapes%2 == 0 {
			return s.b[from : s.i-1], true
		}
	}
}

// skip takes any value.
func (s *scanner) skip() bool {
	s.space()
	for depth := 0; s.i < len(s.b); {
		switch s.b[s.i] {
		case '"':
			if _, ok := s.text(); !ok {
				return false
			}
			if depth == 0 {
				return true
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return true // the end of what surrounds a number or a word
			}
			if depth--; depth == 0 {
				s.i++
				return true
			}
		case ',':
			if depth == 0 {
				return true
			}
		}
		s.i++
	}
	return false
}
