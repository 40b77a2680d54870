package jsonedit

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote decodes a JSON string, quotes included, as encoding/json does: invalid UTF-8 and lone surrogates become
// U+FFFD. It is several times faster, because it copies the text between escapes at once.
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

// escaped decodes the \u escape at the start of raw, with its low surrogate if it has one.
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

// hex4 returns the code unit of the escape with four hex digits at the start of raw, -1 if there is none.
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

// valid returns b as a string in which each byte that is not UTF-8 is U+FFFD.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string([]rune(string(b)))
}
